import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { keyRanges } from './key-ranges.ts';
import type { PagedRead } from './page-parameters.ts';

/** A part of a read with its own pages; all parts together are complete. */
export type PagePart = Pick<PagedRead, 'range' | 'keys' | 'conditions'>;

/** Whether rows have no single key: those of database views. */
export function isOfView({ columns }: Pick<ObjectRead, 'columns'>): boolean {
  return !columns.some(({ primaryKey }) => primaryKey);
}

/** Ranges of a table known to be large: reading starts before its count. Filtered reads need the count. */
export function partsWithoutCount(
  { pageSize: size, concurrency }: ServiceNowConfig,
  read: ObjectRead,
  conditions: readonly string[],
): readonly PagePart[] | undefined {
  const { rowEstimate = 0, filters, keys } = read;
  if (isOfView(read)) return viewParts(read);
  if (filters !== undefined || keys !== undefined || conditions.length > 0) return undefined;
  const ranges = keyRanges(rowEstimate / size, concurrency);
  return ranges.length > 1 && ranges.length >= concurrency ? ranges.map((range) => ({ range })) : undefined;
}

/** Ranges for an estimated number of records. */
export function countedParts(
  { pageSize: size, concurrency }: ServiceNowConfig,
  { rowEstimate = 0 }: ObjectRead,
  count: number | undefined,
): readonly PagePart[] {
  return keyRanges((count ?? rowEstimate) / size, concurrency).map((range) => ({ range }));
}

/** Each key doubles the number of parts. */
const maxEmpty = 4;

/**
 * Splits view rows by which of their keys are empty, because comparisons and order are undefined for empty values. One
 * part without keys if nothing identifies the rows.
 */
export function viewParts({ columns }: ObjectRead): readonly PagePart[] {
  const identifying = columns.filter((column) => column.identifying);
  const always = identifying.filter(({ nullable }) => !nullable).map(({ name }) => name);
  const perhaps = identifying.filter(({ nullable }) => nullable).map(({ name }) => name);
  if (identifying.length === 0 || perhaps.length > maxEmpty) return [{ keys: [] }];
  const parts = Array.from({ length: 2 ** perhaps.length }, (_, chosen) => {
    const isThere = (index: number): boolean => Math.floor(chosen / 2 ** index) % 2 === 0;
    return {
      keys: [...always, ...perhaps.filter((_name, index) => isThere(index))],
      conditions: perhaps.map((name, index) => `${name}${isThere(index) ? 'ISNOTEMPTY' : 'ISEMPTY'}`),
    };
  });
  // A row without any key belongs to no record.
  return parts.filter(({ keys }) => keys.length > 0);
}

/** The request of a part; rows without a unique key are sorted by all fields. */
export function partOf(paged: PagedRead, { conditions = [], keys, range }: PagePart): PagedRead {
  return {
    ...paged,
    ...(range && { range }),
    ...(keys && { keys: keys.length > 0 ? keys : paged.fields }),
    conditions: [...(paged.conditions ?? []), ...conditions],
  };
}
