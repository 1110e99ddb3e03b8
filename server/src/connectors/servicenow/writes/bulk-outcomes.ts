import type { StagedOutcome } from '../../source-writer.ts';
import type { BulkOutcome, BulkRow } from '../api/import-set-api.ts';

/**
 * Results of the rows of a bulk insert, in order. A row that cannot be identified in the import set is `unknown`; one
 * that was not transformed is an `error`.
 */
export function bulkOutcomes(
  { importSetId, state, rows }: BulkOutcome,
  count: number,
): readonly (readonly StagedOutcome[])[] {
  const first = firstPlace(rows, count);
  const look = `look at the import set ${importSetId} in the instance (state ${state}).`;
  return Array.from({ length: count }, (_, index): readonly StagedOutcome[] => {
    const own = first === undefined ? [] : rows.filter(({ place }) => place === first + index);
    if (own.length > 0) return own.map((row) => ended(row, look));
    if (first === undefined && rows.length > 0) {
      const message = `The import set tells of ${rows.length} of ${count} rows, but not which ones they are: ${look}`;
      return [{ status: 'unknown', message }];
    }
    return [{ status: 'unknown', message: `The import set does not show this row to this user: ${look}` }];
  });
}

/** Instances number rows from 0 or from 1; undefined if the readable rows do not show which. */
function firstPlace(rows: readonly BulkRow[], count: number): number | undefined {
  const places = rows.map(({ place }) => place);
  if (places.some((place) => place === undefined || place > count)) return undefined;
  if (places.includes(0)) return places.includes(count) ? undefined : 0;
  return places.includes(count) ? 1 : undefined;
}

/** An unfinished state of a row, such as `pending`, although the set has ended. */
function ended({ place: _, ...row }: BulkRow, look: string): StagedOutcome {
  if (row.status !== '' && row.status !== 'pending') return row;
  const message = `The import set ended before this row was transformed: ${look}`;
  return { ...row, status: row.status === '' ? 'unknown' : 'error', message };
}
