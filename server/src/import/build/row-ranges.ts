import { type GraphStatement, nameOfPart, type runValue } from './plan-statement.ts';

/** Places of staged rows; without an end for all up to there. */
export interface RowRange {
  readonly from?: number | typeof runValue;
  readonly until?: number;
  /** The table that has the places in its column `row`, if not all in the range are meant. */
  readonly among?: string;
}

/** Ranges of as many rows each, which are all rows together. @param count one where it is less */
export function rowRanges(rows: number, count: number): readonly RowRange[] {
  const parts = Math.max(1, count);
  const end = (part: number): number => Math.ceil((rows * part) / parts);
  const range = (part: number): RowRange => ({
    ...(part > 0 && { from: end(part) }),
    ...(part < parts - 1 && { until: end(part + 1) }),
  });
  return Array.from({ length: parts }, (_, part) => range(part));
}

/** Conditions that a place is in a range, each with ` AND ` before it. */
export function rangeSql(place: string, { from, until, among }: RowRange): readonly string[] {
  return [
    ...(from === undefined ? [] : [` AND ${place} >= ${from}`]),
    ...(until === undefined ? [] : [` AND ${place} < ${until}`]),
    ...(among === undefined ? [] : [` AND ${place} IN (SELECT "row" FROM ${among})`]),
  ];
}

/**
 * The statements that fill a table from ranges of rows: the first creates it.
 * @param create how: `CREATE TABLE`, or that of a staging table
 */
export function inParts<Part>(
  { name, table }: { readonly name: string; readonly table: string },
  parts: readonly Part[],
  selectSql: (part: Part) => string,
  create = 'CREATE TABLE',
): readonly GraphStatement[] {
  return parts.map((part, index) =>
    index === 0
      ? { name, sql: `${create} ${table} AS ${selectSql(part)}`, table }
      : { name: nameOfPart(name, index), sql: `INSERT INTO ${table} ${selectSql(part)}`, partOf: name },
  );
}
