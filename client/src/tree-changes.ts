import { type Disposable, type Event, EventEmitter } from 'vscode';

/**
 * Requests to draw rows of a tree again. VS Code asks for the children of a changed row anew, and for those below it one
 * after the other. A change in the midst of that, or while somebody expands a row, leaves rows empty, and older versions
 * report that an element "is already registered". So changes of a row are drawn together, once its branch is quiet.
 */
interface TreeChanges<Node> extends Disposable {
  readonly event: Event<Node | undefined>;
  /** Draws a row again, or the whole list, which VS Code can do at any time. */
  fire(node?: Node): void;
  /** Reads the children of a row. */
  giving<T>(node: Node, read: () => Promise<T>): Promise<T>;
}

/** Longer than VS Code takes from an answer to its next question. */
const quietMs = 300;

interface Branch<Node> {
  /** How many requests for children are pending. */
  pending: number;
  changed?: Node | undefined;
  timer?: NodeJS.Timeout;
}

/** @param branchOf a name shared by a row and the rows below it. */
export function createTreeChanges<Node>(branchOf: (node: Node) => string): TreeChanges<Node> {
  const changed = new EventEmitter<Node | undefined>();
  const branches = new Map<string, Branch<Node>>();

  function branchNamed(name: string): Branch<Node> {
    const branch = branches.get(name) ?? { pending: 0 };
    branches.set(name, branch);
    return branch;
  }

  /** Waits anew until the branch is quiet. */
  function schedule(branch: Branch<Node>): void {
    clearTimeout(branch.timer);
    if (branch.pending > 0 || branch.changed === undefined) return;
    branch.timer = setTimeout(() => {
      const node = branch.changed;
      branch.changed = undefined;
      changed.fire(node);
    }, quietMs);
  }

  return {
    event: changed.event,
    fire(node) {
      if (node === undefined) return changed.fire(node);
      const branch = branchNamed(branchOf(node));
      branch.changed = node;
      schedule(branch);
    },
    giving(node, read) {
      const branch = branchNamed(branchOf(node));
      branch.pending += 1;
      clearTimeout(branch.timer);
      return read().finally(() => {
        branch.pending -= 1;
        schedule(branch);
      });
    },
    dispose() {
      for (const { timer } of branches.values()) clearTimeout(timer);
      changed.dispose();
    },
  };
}
