import type { CachedGraph, RowsComparison } from '../row-cache.ts';
import { type ComparedRows, type FoundChanges, inexactColumn } from './compared-rows.ts';

/** What is known before rows are compared. */
export interface PreviousGraphFacts {
  /** A slice was asked for. */
  readonly isPart: boolean;
  /** Everything was asked to be read anew. */
  readonly isFull: boolean;
  /** The graph of the cached rows. */
  readonly cached: CachedGraph | undefined;
  /** The published graph, if its file is as the import left it. */
  readonly published: { readonly run: string } | undefined;
  /** Why a first attempt to use it failed. */
  readonly failure: string | undefined;
  readonly key: string;
  /** An event may be correlated with one entity by several qualifiers, which a check finds in a table of the build. */
  readonly mayCorrelateTwice: boolean;
  /** Relationships that are joined here, of rows of several data sources. */
  readonly joined: readonly string[];
  readonly staged: readonly StagedFacts[];
}

export interface StagedFacts extends ComparedRows {
  readonly comparison: RowsComparison | undefined;
  /** Its events have an entity of their own, or it has no events. */
  readonly ownEntity: boolean;
  /** Joins may change the order of the rows. */
  readonly hasJoins: boolean;
}

/**
 * Why the graph of the previous import cannot be that of these rows, in words; undefined if it is, as far as can be told
 * without comparing rows.
 */
export function whyBuiltAnew(facts: PreviousGraphFacts): string | undefined {
  const { isPart, isFull, cached, published, failure, key, mayCorrelateTwice, joined, staged } = facts;
  if (isFull) return 'everything is imported anew';
  if (isPart) return 'only a part is imported';
  if (failure !== undefined) return whyUnusable(failure);
  if (!cached) return 'no rows of the previous import are cached with its graph';
  if (published?.run !== cached.run) return 'the graph of the cached rows is missing, or its file has changed';
  if (mayCorrelateTwice) return 'events may be correlated with one entity twice';
  const [relationship] = joined;
  if (relationship !== undefined) return `"${relationship}" joins rows of several data sources`;
  for (const each of staged) {
    const why = whyNotCompared(each);
    if (why !== undefined) return why;
  }
  return key === cached.key ? undefined : 'the entity graph, a type of a column or the program has changed';
}

/** Why the graph is built anew although it seemed to be that of the rows. @param failure in words */
export function whyUnusable(failure: string): string {
  return `the graph of the cached rows could not be used: ${failure}`;
}

/** Whether the rows of a table need not be compared, because all of them were taken from the cached ones. */
export function isTaken({ comparison }: StagedFacts): boolean {
  return comparison?.isTaken === true;
}

function whyNotCompared(staged: StagedFacts): string | undefined {
  const { name, comparison, arePairs } = staged;
  if (!comparison) return `the rows of "${name}" were not cached`;
  if (comparison.before.sourceRows !== comparison.now.sourceRows) {
    return `"${name}" has ${comparison.now.sourceRows} rows, and had ${comparison.before.sourceRows}`;
  }
  if (isTaken(staged)) return undefined;
  if (!arePairs && !isKeyCompared(staged, comparison)) return `the rows of "${name}" were read again without their key`;
  if (staged.hasJoins) return `"${name}" has joins, and its rows were read again`;
  if (!staged.ownEntity) return `the rows of "${name}" were read again, and have no entity of their own`;
  const inexact = inexactColumn(staged);
  return (
    inexact && `${inexact.name} of "${name}" has a type whose values cannot be compared exactly: ${inexact.stagedType}`
  );
}

/** Whether the columns that identify rows are among those that are compared. */
function isKeyCompared({ deciding, values }: ComparedRows, { now: { otherKey = [] } }: RowsComparison): boolean {
  const names = new Set([...deciding, ...values].map(({ stagedAs }) => stagedAs));
  return otherKey.every((column) => names.has(column));
}

/** Why changed rows of a table keep the graph from being used; undefined if their values can be written into it. */
export function whyNotWritten(
  { name }: ComparedRows,
  rows: number,
  { changed, deciding }: Omit<FoundChanges, 'columns'>,
): string | undefined {
  if (deciding > 0) {
    return `keys, times or other columns of "${name}" have changed that decide which events there are, or the sign of a zero`;
  }
  if (changed > Math.max(fewRows, rows * largestShare)) return `too many rows of "${name}" have changed`;
  return undefined;
}

/** Writing properties row by row takes longer than writing all of them when more rows have changed. */
const largestShare = 0.25;
const fewRows = 10_000;

/** The blocks of the file of a store. */
export interface StoreBlocks {
  readonly total: number;
  /** Of these, how many contain nothing that is used. */
  readonly free: number;
  /** Bytes of one. */
  readonly size: number;
}

/** Why the file of the graph is not copied once more: values that were written into earlier copies leave free blocks. */
export function whyNotCopied({ total, free, size }: StoreBlocks): string | undefined {
  const isWasteful = free > total / 2 && free * size > smallWaste;
  return isWasteful ? `${free} of ${total} blocks of the file of the graph are free` : undefined;
}

/** Bytes of free blocks that do not matter. */
const smallWaste = 16 * 1024 * 1024;
