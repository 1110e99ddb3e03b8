import type { ImportCount } from './invariant.ts';
import { invariantsOf } from './invariants.ts';
import { namedTables } from './table-names.ts';

/** The order of the rows and texts of a graph that is checked. */
interface GraphOrder {
  /** Rows lie in the order in which they were written. */
  readonly keepsRows: boolean;
  /** Rows were sorted by texts in the order of the queried database; false for a fetched graph, which its source has sorted. */
  readonly sortsTexts: boolean;
}

/**
 * Everything that an import counts, in the order in which it asks.
 * @param mayLackEntity some events have no entity of their own
 */
export function importCounts({ keepsRows, sortsTexts }: GraphOrder, mayLackEntity = false): readonly ImportCount[] {
  const events = mayLackEntity ? 'events without entity' : 'events with entity';
  const keepsTexts = keepsRows && sortsTexts;
  return invariantsOf(namedTables([]))
    .flatMap(({ atImport }) => atImport)
    .filter(
      ({ readsRowOrder = keepsRows, readsTextOrder = keepsTexts, of = events }) =>
        readsRowOrder === keepsRows && readsTextOrder === keepsTexts && of === events,
    );
}
