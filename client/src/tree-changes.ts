import { type Disposable, type Event, EventEmitter } from 'vscode';

/**
 * Requests to draw rows of a tree again. VS Code asks for the children of a changed row anew; if it is still waiting for
 * the earlier answer, it takes both, and reports that an element "is already registered". So a change of a row waits
 * until the pending children of its branch were taken.
 */
interface TreeChanges<Node> extends Disposable {
  readonly event: Event<Node | undefined>;
  /** Draws a row again, or the whole list, which VS Code can do at any time. */
  fire(node?: Node): void;
  /** Reads the children of a row. */
  giving<T>(node: Node, read: () => Promise<T>): Promise<T>;
}

/** @param branchOf a name shared by a row and the rows below it. */
export function createTreeChanges<Node>(branchOf: (node: Node) => string): TreeChanges<Node> {
  const changed = new EventEmitter<Node | undefined>();
  /** How many requests for children are pending, by branch. */
  const pending = new Map<string, number>();
  const waiting = new Map<string, Node>();

  function ended(branch: string): void {
    const left = (pending.get(branch) ?? 0) - 1;
    if (left > 0) return void pending.set(branch, left);
    pending.delete(branch);
    const node = waiting.get(branch);
    waiting.delete(branch);
    if (node !== undefined) changed.fire(node);
  }

  return {
    event: changed.event,
    fire(node) {
      if (node === undefined || !pending.has(branchOf(node))) changed.fire(node);
      else waiting.set(branchOf(node), node);
    },
    giving(node, read) {
      const branch = branchOf(node);
      pending.set(branch, (pending.get(branch) ?? 0) + 1);
      // VS Code takes the children in the promise jobs that follow their answer.
      return read().finally(() => setTimeout(() => ended(branch), 0));
    },
    dispose: () => changed.dispose(),
  };
}
