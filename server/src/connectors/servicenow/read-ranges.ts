import type { ObjectRead } from '../../query/compiled-query.ts';
import type { ServiceNowConfig } from './config.ts';
import { keyRanges } from './key-ranges.ts';
import type { KeyRange } from './read-pages.ts';

/** Ranges of a table that is known to be large: its pages need not wait for its count. Of filtered ones only the count tells. */
export function rangesAtOnce(
  { pageSize: size, concurrency }: ServiceNowConfig,
  { rowEstimate = 0, filters, keys }: ObjectRead,
  conditions: readonly string[],
): readonly KeyRange[] | undefined {
  if (filters !== undefined || keys !== undefined || conditions.length > 0) return undefined;
  const ranges = keyRanges(rowEstimate / size, concurrency);
  return ranges.length > 1 && ranges.length >= concurrency ? ranges : undefined;
}

/** Ranges of so many records as a read selects, as far as that is known. */
export function countedRanges(
  { pageSize: size, concurrency }: ServiceNowConfig,
  { rowEstimate = 0 }: ObjectRead,
  count: number | undefined,
): readonly KeyRange[] {
  return keyRanges((count ?? rowEstimate) / size, concurrency);
}
