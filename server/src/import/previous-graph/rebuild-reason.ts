import type { CachedGraph } from '../row-cache/row-cache-tables.ts';
import type { RowsComparison } from '../row-cache/row-cache.ts';
import { type FileBlocks, isWasteful } from '../free-blocks.ts';
import { type ComparedRows, type FoundChanges, inexactColumn } from './compared-rows.ts';

/** The facts that are known before rows are compared. */
export interface PreviousGraphFacts {
  /** The import is of a slice. */
  readonly isPart: boolean;
  /** The import reads all rows anew. */
  readonly isFull: boolean;
  /** The graph of the cached rows. */
  readonly cached: CachedGraph | undefined;
  /** The published graph, if its file is unchanged since its import. */
  readonly published: { readonly run: string } | undefined;
  /** Why a first attempt to use it failed. */
  readonly failure: string | undefined;
  readonly key: string;
  /**
   * An event may be correlated with one entity by several qualifiers. The check of these needs a table that only a
   * build creates.
   */
  readonly mayCorrelateTwice: boolean;
  /** Relationships across data sources, which the embedded engine joins. */
  readonly joined: readonly string[];
  readonly staged: readonly StagedFacts[];
}

export interface StagedFacts extends ComparedRows {
  readonly comparison: RowsComparison | undefined;
  /** Its events have an entity of their own, or it has no events. */
  readonly ownEntity: boolean;
  /** Joins, subqueries or computed columns may change the order of the rows, so that they are numbered. */
  readonly isNumbered: boolean;
  /** Its custom SQL has joins, whatever the order of the rows is. */
  readonly hasJoins: boolean;
  /** An element, whose rows are events. */
  readonly isElement: boolean;
  /** Its rows name entities that their events are correlated with. */
  readonly hasCorrelations: boolean;
}

/**
 * The reason, for users, why the graph of the previous import cannot be that of these rows. Undefined if nothing
 * excludes it without comparing rows.
 */
export function rebuildReason(facts: PreviousGraphFacts): string | undefined {
  const { isPart, isFull, cached, published, failure, key, mayCorrelateTwice, joined, staged } = facts;
  if (isFull) return 'everything is imported anew';
  if (isPart) return 'only a part is imported';
  if (failure !== undefined) return failedReuseReason(failure);
  if (!cached) return 'no rows of the previous import are cached with its graph';
  if (published?.run !== cached.run) return 'the graph of the cached rows is missing, or its file has changed';
  if (mayCorrelateTwice) return 'events may be correlated with one entity twice';
  const longer = staged.find((each) => each.isElement && hasMoreRows(each));
  const [relationship] = joined;
  if (relationship !== undefined) return `"${relationship}" joins rows of several data sources`;
  for (const each of staged) {
    const reason = incomparableRowsReason(each, longer !== undefined);
    if (reason !== undefined) return reason;
  }
  const reason = longer && newRowsReason(longer, staged);
  if (reason !== undefined) return reason;
  return key === cached.key ? undefined : 'the entity graph, a type of a column or the program has changed';
}

/** The reason, for users, why the graph is built anew after reusing it failed. @param failure in words */
export function failedReuseReason(failure: string): string {
  return `the graph of the cached rows could not be used: ${failure}`;
}

/** Whether all rows of a table were taken from the row cache, so that they need not be compared. */
export function isTaken({ comparison }: StagedFacts): boolean {
  return comparison?.isTaken === true;
}

/** Whether a table has more rows than the cached one. */
export function hasMoreRows({ comparison }: StagedFacts): boolean {
  return comparison !== undefined && comparison.now.sourceRows > comparison.before.sourceRows;
}

/** The reason if events of new rows cannot be put between those of the graph. @param longer an element with new rows */
function newRowsReason({ name }: StagedFacts, staged: readonly StagedFacts[]): string | undefined {
  for (const each of staged.filter(({ isElement }) => isElement)) {
    const obstacles: readonly (readonly [is: boolean, text: string])[] = [
      [each.hasJoins, 'has joins'],
      [each.isNumbered, reorderedText],
      [!each.ownEntity, 'has no entity of its own'],
      [each.hasCorrelations, 'correlates its events with other entities'],
    ];
    const found = obstacles.find(([is]) => is);
    if (found) return `"${name}" has new rows, and "${each.name}" ${found[1]}`;
  }
  return undefined;
}

const reorderedText = 'has joins or computed columns, which may reorder rows';

/**
 * The reason if staged rows cannot be compared with the cached ones.
 * @param isLonger elements have new rows, so that relations are made anew
 */
function incomparableRowsReason(staged: StagedFacts, isLonger: boolean): string | undefined {
  const { name, comparison, arePairs } = staged;
  if (!comparison) return `the rows of "${name}" were not cached`;
  if (isLonger && arePairs) return undefined;
  const mayBeLonger = staged.isElement && hasMoreRows(staged);
  if (comparison.before.sourceRows !== comparison.now.sourceRows && !mayBeLonger) {
    return `"${name}" has ${comparison.now.sourceRows} rows, and had ${comparison.before.sourceRows}`;
  }
  if (isTaken(staged)) return undefined;
  if (!arePairs && !isKeyCompared(staged, comparison)) return `the rows of "${name}" were read again without their key`;
  if (staged.isNumbered) return `"${name}" ${reorderedText}, and its rows were read again`;
  if (!staged.ownEntity) return `the rows of "${name}" were read again, and have no entity of their own`;
  const inexact = inexactColumn(staged);
  return (
    inexact && `${inexact.name} of "${name}" has a type whose values cannot be compared exactly: ${inexact.stagedType}`
  );
}

/** Whether all columns that identify rows are compared. */
function isKeyCompared({ deciding, values }: ComparedRows, { now: { otherKey = [] } }: RowsComparison): boolean {
  const names = new Set([...deciding, ...values].map(({ stagedAs }) => stagedAs));
  return otherKey.every((column) => names.has(column));
}

/**
 * The reason, for users, why changed rows prevent reusing the graph. Undefined if their values can be written into it.
 */
export function changedRowsReason(
  { name }: ComparedRows,
  rows: number,
  { added, changed, deciding }: Omit<FoundChanges, 'columns' | 'firstAdded'>,
): string | undefined {
  if (deciding > 0) {
    return `keys, times or other columns of "${name}" have changed that decide which events there are, or the sign of a zero`;
  }
  if (added > Math.max(fewRows, rows * largestShare)) return `too many rows of "${name}" are new`;
  if (changed > Math.max(fewRows, rows * largestShare)) return `too many rows of "${name}" have changed`;
  return undefined;
}

/** The reason if rows without a cached one are not all new rows. @param more rows than there were */
export function missingRowsReason(
  staged: ComparedRows,
  more: number,
  { added }: Pick<FoundChanges, 'added'>,
): string | undefined {
  return added === more ? undefined : `rows of "${staged.name}" are gone, or their keys have changed`;
}

/** The reason if too many events would get new ids. @param later events of the graph that get new ids */
export function renumberedEventsReason(events: number, later: number): string | undefined {
  return later > Math.max(fewRows, events * largestShare)
    ? `${later} of ${events} events are not before the first new one`
    : undefined;
}

/** The reason if new keys cannot be put between the others. @param collated tables with a collation of their keys */
export function collationReason(collated: number): string | undefined {
  return collated > 0 ? 'keys have a collation' : undefined;
}

/**
 * The reason if new rows would change the codes of activities. Activities beyond the most frequent ones have none.
 * @param others events of activities without a code
 */
export function activityCodesReason(others: number, codes: number, most: number): string | undefined {
  if (codes >= most) return 'some activities have no code, and new rows may decide which';
  return others > 0 ? 'new rows have new activities' : undefined;
}

/** If a larger share of rows has changed, updating them takes longer than writing all properties anew. */
const largestShare = 0.25;
const fewRows = 10_000;

/**
 * The reason, for users, why the file of the graph is not copied again: updates of earlier copies have left too many
 * free blocks.
 */
export function freeBlocksReason(blocks: FileBlocks): string | undefined {
  return isWasteful(blocks) ? `${blocks.free} of ${blocks.total} blocks of the file of the graph are free` : undefined;
}
