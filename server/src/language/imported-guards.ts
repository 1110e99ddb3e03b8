import type { BrokenGuard } from '../../../protocol/query-results.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import { guardKey } from '../model/guard.ts';
import type { Problem } from '../model/problem.ts';

/** The guards that the last import has broken (docs/semantics.md#206-guards). */
export interface ImportedGuards {
  /** They ended it: nothing was published. */
  readonly stoppedBy: readonly BrokenGuard[];
  /** Of the import that was published last. */
  readonly broken: readonly BrokenGuard[];
}

/** The broken guards at their places in the text; none for a guard that asks for something else now. */
export function brokenGuards({ guards }: EntityGraph, { stoppedBy, broken }: ImportedGuards): readonly Problem[] {
  const stopped = new Map(stoppedBy.map(({ guard, message }) => [guard, message]));
  const published = new Map(broken.map(({ guard, message }) => [guard, message]));
  return guards.flatMap((guard): readonly Problem[] => {
    const key = guardKey(guard);
    const { range } = guard.element ?? guard.relationship ?? guard;
    const [end, found] = [stopped.get(key), published.get(key)];
    if (end !== undefined)
      return [{ code: 'guard-broken', severity: 'error', range, message: `The last import was stopped: ${end}` }];
    if (found === undefined) return [];
    return [{ code: 'guard-broken', severity: 'warning', range, message: `The last import found: ${found}` }];
  });
}
