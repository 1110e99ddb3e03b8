import type { DraftReason } from '../../../protocol/first-draft.ts';
import type { ColumnProfile } from './column-profile.ts';
import { isEmptyCell } from './column-profile.ts';
import { because } from './draft-reason.ts';
import type { SampleCell, TableSample } from './table-sample.ts';
import { sortableTime } from '../catalog/time-text.ts';

/** Share of the rows with both times in which the first is not after the second; undefined if no row has both. */
export function orderedShare({ rows }: TableSample, earlier: ColumnProfile, later: ColumnProfile): number | undefined {
  let [known, before] = [0, 0];
  for (const row of rows) {
    const [one, two] = [sortable(row, earlier), sortable(row, later)];
    if (one === undefined || two === undefined) continue;
    known += 1;
    // A date is at the beginning of its day: compared with a time, the day decides.
    const length = Math.min(one.length, two.length);
    if (one.slice(0, length) <= two.slice(0, length)) before += 1;
  }
  return known === 0 ? undefined : before / known;
}

/** Of milliseconds since 1970. */
const mostDigits = 13;

/** How `later` follows `earlier`, as a reason; undefined if no row has both. */
export function orderReason(
  sample: TableSample,
  earlier: ColumnProfile,
  later: ColumnProfile,
): DraftReason | undefined {
  const share = orderedShare(sample, earlier, later);
  if (share === undefined) return undefined;
  if (share === 1) return because('is never before {0}', earlier.name);
  return because('is not before {0} in {1} % of the rows', earlier.name, String(Math.floor(share * 1000) / 10));
}

function sortable(row: readonly SampleCell[], { index, timeText, stored }: ColumnProfile): string | undefined {
  const cell = index === undefined ? null : row[index];
  if (isEmptyCell(cell)) return undefined;
  if (stored) return String(cell).replace(/\d+/, (digits) => digits.padStart(mostDigits, '0'));
  return timeText?.format === undefined ? String(cell) : sortableTime(String(cell), timeText);
}
