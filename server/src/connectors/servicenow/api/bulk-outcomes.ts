import type { BulkOutcome, BulkRow, ImportOutcome } from './import-set-api.ts';

/**
 * What became of each of the rows that a bulk insert sent, in their order. A row of which the import set does not tell, or
 * does not tell which one it is, is `unknown`; one that was not transformed before the set ended is an `error`.
 */
export function bulkOutcomes(
  { importSetId, state, rows }: BulkOutcome,
  count: number,
): readonly (readonly ImportOutcome[])[] {
  const first = firstPlace(rows, count);
  const look = `look at the import set ${importSetId} in the instance (state ${state}).`;
  return Array.from({ length: count }, (_, index): readonly ImportOutcome[] => {
    const own = first === undefined ? [] : rows.filter(({ place }) => place === first + index);
    if (own.length > 0) return own.map((row) => ended(row, look));
    if (first === undefined && rows.length > 0) {
      const message = `The import set tells of ${rows.length} of ${count} rows, but not which ones they are: ${look}`;
      return [{ status: 'unknown', message }];
    }
    return [{ status: 'unknown', message: `The import set does not tell of this row to this user: ${look}` }];
  });
}

/** Instances count from 0 or from 1; undefined when the rows that may be read do not show which. */
function firstPlace(rows: readonly BulkRow[], count: number): number | undefined {
  const places = rows.map(({ place }) => place);
  if (places.some((place) => place === undefined || place > count)) return undefined;
  if (places.includes(0)) return places.includes(count) ? undefined : 0;
  return places.includes(count) ? 1 : undefined;
}

/** A state of the row that is none, such as `pending`, though the set has ended. */
function ended({ place: _, ...row }: BulkRow, look: string): ImportOutcome {
  if (row.status !== '' && row.status !== 'pending') return row;
  const message = `The import set ended before this row was transformed: ${look}`;
  return { ...row, status: row.status === '' ? 'unknown' : 'error', message };
}
