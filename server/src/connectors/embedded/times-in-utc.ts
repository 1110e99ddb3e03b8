import type { CellValue, QueryColumn } from '../connector.ts';
import { utcTextReader } from '../utc-text.ts';

/** Times without zone are shown in UTC, read in the source's zone like in an import. */
export function inUtc(
  rows: readonly (readonly CellValue[])[],
  columns: readonly QueryColumn[],
  timeZone: string,
): readonly (readonly CellValue[])[] {
  const naive = new Set(columns.flatMap((column, index) => (column.zoned === false ? [index] : [])));
  if (naive.size === 0 || timeZone === 'UTC') return rows;
  const toUtc = utcTextReader(timeZone);
  return rows.map((row) =>
    row.map((cell, index) =>
      naive.has(index) && typeof cell === 'string' ? toUtc(cell.replace('T', ' ').replace('Z', '')) : cell,
    ),
  );
}
