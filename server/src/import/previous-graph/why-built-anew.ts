import type { CachedGraph, RowsComparison } from '../row-cache.ts';
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
  /** Joins may change the order of the rows. */
  readonly hasJoins: boolean;
}

/**
 * The reason, for users, why the graph of the previous import cannot be that of these rows. Undefined if nothing
 * excludes it without comparing rows.
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

/** The reason, for users, why the graph is built anew after reusing it failed. @param failure in words */
export function whyUnusable(failure: string): string {
  return `the graph of the cached rows could not be used: ${failure}`;
}

/** Whether all rows of a table were taken from the row cache, so that they need not be compared. */
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

/** Whether all columns that identify rows are compared. */
function isKeyCompared({ deciding, values }: ComparedRows, { now: { otherKey = [] } }: RowsComparison): boolean {
  const names = new Set([...deciding, ...values].map(({ stagedAs }) => stagedAs));
  return otherKey.every((column) => names.has(column));
}

/**
 * The reason, for users, why changed rows prevent reusing the graph. Undefined if their values can be written into it.
 */
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

/** If a larger share of rows has changed, updating them takes longer than writing all properties anew. */
const largestShare = 0.25;
const fewRows = 10_000;

/** The blocks of the file of a store. */
export interface StoreBlocks {
  readonly total: number;
  /** How many of these are unused. */
  readonly free: number;
  /** Bytes of one block. */
  readonly size: number;
}

/**
 * The reason, for users, why the file of the graph is not copied again: updates of earlier copies have left too many
 * free blocks.
 */
export function whyNotCopied({ total, free, size }: StoreBlocks): string | undefined {
  const isWasteful = free > total / 2 && free * size > smallWaste;
  return isWasteful ? `${free} of ${total} blocks of the file of the graph are free` : undefined;
}

/** Bytes of free blocks that are tolerated. */
const smallWaste = 16 * 1024 * 1024;
