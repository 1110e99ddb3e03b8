import { quoteIdentifier } from '../../query/quote.ts';
import type { RecordTotals } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** Totals of a source at a moment, and of the cached records at that time. */
export interface Comparison {
  readonly cached: RecordTotals;
  readonly reported: RecordTotals;
}

/**
 * Compares totals: equal, or `moving` when records changed between reading and counting. `other-sum` with equal counts:
 * some were deleted and others restored, or the source sums differently.
 */
export type Verdict = 'same' | 'moving' | 'other-count' | 'other-sum';

/** @param before totals of the previous round: changes read since then are cached now */
export function compareTotals({ cached, reported }: Comparison, before?: Comparison): Verdict {
  if (cached.count !== reported.count) return 'other-count';
  const [ours, theirs] = [cached.sum, reported.sum];
  if (typeof ours !== 'bigint' || typeof theirs !== 'bigint' || ours === theirs) return 'same';
  // The sum only grows with changes, so it lies between the sums before and after reading the changes.
  const [from, between] = [before?.cached.sum, before?.reported.sum];
  if (typeof from !== 'bigint' || typeof between !== 'bigint') return 'other-sum';
  return from <= between && between <= ours && from < ours ? 'moving' : 'other-sum';
}

/** Whether both sums are known and equal; `same` may also mean that one is unknown. */
export function haveEqualSums({ cached, reported }: Comparison): boolean {
  return typeof reported.sum === 'bigint' && reported.sum === cached.sum;
}

/** Count and sum of the records in a table. The sum is absent if a record has no value in the proof column. */
export async function cachedTotals(
  target: Pick<FetchTarget, 'query'>,
  table: string,
  proof: string | undefined,
): Promise<RecordTotals> {
  const column = proof === undefined ? 'CAST(NULL AS BIGINT)' : quoteIdentifier(proof);
  const [row] = await target.query(
    `SELECT count(*) AS rows, CASE WHEN count(${column}) = count(*) THEN CAST(sum(${column}) AS VARCHAR) END AS total FROM temp.${quoteIdentifier(table)}`,
  );
  const total = row?.['total'];
  return { count: Number(row?.['rows']), sum: typeof total === 'string' ? BigInt(total) : undefined };
}
