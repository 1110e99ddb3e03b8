import { mayHaveTies } from '../build/events.ts';
import type { GraphShape } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import type { RowsComparison } from '../row-cache/row-cache.ts';
import { countTiesSql } from './changed-properties.ts';
import { countChangedPairsSql } from './compared-pairs.ts';
import {
  type FoundChanges,
  comparedRanges,
  countChangedSql,
  createChangedSql,
  findChangedSql,
  foundChanges,
  noChanges,
  separateAddedSql,
} from './compared-rows.ts';
import { type Refusal, type ReuseWork, counts, query, run } from './reuse-work.ts';
import { type StagedFacts, changedRowsReason, hasMoreRows, isTaken, missingRowsReason } from './rebuild-reason.ts';

/** Changes by the name of the table, as far as rows had to be compared. */
type ChangesOfTables = ReadonlyMap<string, FoundChanges>;

/** Compares staged rows with the cached ones, and leaves the changed ones in `changed_…`. */
export async function compareRows(work: ReuseWork, staged: readonly StagedFacts[]): Promise<ChangesOfTables | Refusal> {
  const changes = new Map<string, FoundChanges>();
  const isLonger = staged.some(hasMoreRows);
  // Relations are made anew where elements have new rows.
  for (const each of staged.filter((one) => !isTaken(one) && !(isLonger && one.arePairs))) {
    const { name, table, arePairs, comparison } = each;
    if (!comparison) throw new Error('Rows were not cached.');
    if (arePairs) {
      const pairs = await counts(work, countChangedPairsSql(each, comparison.cached));
      if (pairs('changed') > 0) return { reason: `pairs of "${name}" have changed` };
      continue;
    }
    const found = await compareTable(work, each, comparison);
    if ('reason' in found) return found;
    changes.set(table, found);
  }
  return changes;
}

async function compareTable(
  work: ReuseWork,
  staged: StagedFacts,
  { cached, before, now }: RowsComparison,
): Promise<FoundChanges | Refusal> {
  let found = noChanges;
  await run(work, createChangedSql(staged));
  for (const range of comparedRanges(now.sourceRows, now.otherRows)) {
    await run(work, findChangedSql(staged, cached, { key: now.otherKey, range }));
    const [row] = await query(work, countChangedSql(staged));
    found = foundChanges(staged, row);
    const reason = changedRowsReason(staged, now.sourceRows, found);
    if (reason !== undefined) return { reason };
  }
  const reason = missingRowsReason(staged, now.sourceRows - before.sourceRows, found);
  if (reason !== undefined) return { reason };
  if (found.added > 0) for (const sql of separateAddedSql(staged)) await run(work, sql);
  return found;
}

/** An element some of whose rows have changed values. */
export interface ChangedElement {
  readonly element: StagedElement;
  readonly changes: FoundChanges;
}

/** Where rows have no order, changed values may change the order of equal events. */
export async function tiedEventsReason(
  work: ReuseWork,
  changed: readonly ChangedElement[],
  shape: GraphShape,
): Promise<string | undefined> {
  for (const { element } of changed.filter((each) => mayHaveTies(each.element, shape))) {
    const found = await counts(work, countTiesSql(element, shape));
    if (found('ties') > 0) return `changed values of "${element.plan.activityName}" decide the order of equal events`;
  }
  return undefined;
}
