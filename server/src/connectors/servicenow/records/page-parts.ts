import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { ServiceNowConfig } from '../config.ts';
import { keyRanges } from './key-ranges.ts';
import type { PagedRead } from './page-parameters.ts';

/** A part of a read that is read page by page for itself; all parts together are the whole. */
export type PagePart = Pick<PagedRead, 'range' | 'keys' | 'conditions'>;

/** Whether the rows of a read have no key of their own: those of database views. */
export function isOfView({ columns }: Pick<ObjectRead, 'columns'>): boolean {
  return !columns.some(({ primaryKey }) => primaryKey);
}

/** Ranges of a table that is known to be large: its pages need not wait for its count. Of filtered ones only the count tells. */
export function partsAtOnce(
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

/** Ranges of so many records as a read selects, as far as that is known. */
export function countedParts(
  { pageSize: size, concurrency }: ServiceNowConfig,
  { rowEstimate = 0 }: ObjectRead,
  count: number | undefined,
): readonly PagePart[] {
  return keyRanges((count ?? rowEstimate) / size, concurrency).map((range) => ({ range }));
}

/** Each doubles the number of parts. */
const mostEmpty = 4;

/**
 * Rows of a view by which of their keys are empty, as comparisons say nothing of empty ones, nor does anybody say where they come in an
 * order. One part without keys where nothing tells the rows apart.
 */
export function viewParts({ columns }: ObjectRead): readonly PagePart[] {
  const identifying = columns.filter((column) => column.identifying);
  const always = identifying.filter(({ nullable }) => !nullable).map(({ name }) => name);
  const perhaps = identifying.filter(({ nullable }) => nullable).map(({ name }) => name);
  if (identifying.length === 0 || perhaps.length > mostEmpty) return [{ keys: [] }];
  const parts = Array.from({ length: 2 ** perhaps.length }, (_, chosen) => {
    const isThere = (index: number): boolean => Math.floor(chosen / 2 ** index) % 2 === 0;
    return {
      keys: [...always, ...perhaps.filter((_name, index) => isThere(index))],
      conditions: perhaps.map((name, index) => `${name}${isThere(index) ? 'ISNOTEMPTY' : 'ISEMPTY'}`),
    };
  });
  // A row without any key is made of no record.
  return parts.filter(({ keys }) => keys.length > 0);
}

/** A part of a read as it is asked for; rows that nothing tells apart come in the order of all their fields. */
export function partOf(paged: PagedRead, { conditions = [], keys, range }: PagePart): PagedRead {
  return {
    ...paged,
    ...(range && { range }),
    ...(keys && { keys: keys.length > 0 ? keys : paged.fields }),
    conditions: [...(paged.conditions ?? []), ...conditions],
  };
}
