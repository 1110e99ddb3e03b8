import { quoteIdentifier } from '../../query/quote.ts';
import type { RecordTotals } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** What a source tells of its records at a moment, beside what is kept of them then. */
export interface Comparison {
  readonly kept: RecordTotals;
  readonly told: RecordTotals;
}

/**
 * Whether kept records are those of the source: equal figures, or `moving` ones, where records changed between what was read and
 * what was summed. `other-sum` of equally many: some were deleted and others restored, or the source sums otherwise.
 */
export type Verdict = 'same' | 'moving' | 'other-count' | 'other-sum';

/** @param before that of the round before: changes that were read since then are among what is kept now */
export function compareTotals({ kept, told }: Comparison, before?: Comparison): Verdict {
  if (kept.count !== told.count) return 'other-count';
  const [ours, theirs] = [kept.sum, told.sum];
  if (typeof ours !== 'bigint' || typeof theirs !== 'bigint' || ours === theirs) return 'same';
  // It only grows while records change: what was told is between what was kept before and with what changed meanwhile.
  const [from, between] = [before?.kept.sum, before?.told.sum];
  if (typeof from !== 'bigint' || typeof between !== 'bigint') return 'other-sum';
  return from <= between && between <= ours && from < ours ? 'moving' : 'other-sum';
}

/** Whether both sums are known and equal: `same` is also the verdict where one of them is not told. */
export function haveEqualSums({ kept, told }: Comparison): boolean {
  return typeof told.sum === 'bigint' && told.sum === kept.sum;
}

/** Figures of the records in a table; no sum where one of them lacks its proof. */
export async function keptTotals(
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
