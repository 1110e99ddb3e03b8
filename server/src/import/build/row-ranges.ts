import { type GraphStatement, nameOfPart, type runValue } from './plan-statement.ts';

/** A range of staged rows by place; open at the end if `until` is absent. */
export interface RowRange {
  readonly from?: number | typeof runValue | undefined;
  readonly until?: number | undefined;
  /** The table that has the places in its column `row`, if not all in the range are meant. */
  readonly among?: string | undefined;
}

/** Divides rows into ranges of equal size. @param count number of ranges; less than 1 counts as 1 */
export function rowRanges(rows: number, count: number): readonly RowRange[] {
  const parts = Math.max(1, count);
  const end = (part: number): number => Math.ceil((rows * part) / parts);
  const range = (part: number): RowRange => ({
    from: part > 0 ? end(part) : undefined,
    until: part < parts - 1 ? end(part + 1) : undefined,
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
 * @param create the keywords: `CREATE TABLE`, or `createStaging` of the dialect
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
