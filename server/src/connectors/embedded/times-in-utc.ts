import type { CompiledQuery } from '../../query/compiled-query.ts';
import { zoneOfResult } from '../../query/result-zones.ts';
import type { CellValue, QueryColumn } from '../connector.ts';
import { utcTextReader } from '../utc-text.ts';

/** Times without zone are shown in UTC, read in the zone of their entry, else of the source, like in an import. */
export function inUtc(
  rows: readonly (readonly CellValue[])[],
  columns: readonly QueryColumn[],
  query: Pick<CompiledQuery, 'zones'>,
  ofSource: string,
): readonly (readonly CellValue[])[] {
  const readers = columns.map(({ name, zoned }) => {
    const timeZone = zoneOfResult(query, name, ofSource);
    return zoned !== false || timeZone === 'UTC' ? undefined : utcTextReader(timeZone);
  });
  if (readers.every((read) => read === undefined)) return rows;
  return rows.map((row) =>
    row.map((cell, index) => {
      const read = readers[index];
      return read && typeof cell === 'string' ? read(cell.replace('T', ' ').replace('Z', '')) : cell;
    }),
  );
}
