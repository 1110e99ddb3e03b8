import type { RangeSql } from '../../../dialects/dialect.ts';
import { type FilledTable, byNumber } from './filled-table.ts';

/** A part of the order by which ranges are cut, the most significant first. */
export interface RangeLevel {
  /**
   * SQL of the number that is compared with the bounds of a range.
   * @param of the value of the range, see `perRange`
   */
  readonly number: (of: string) => string;
  /** SQL that aggregates the numbers of a range to bounds. */
  readonly bounds: RangeSql['bounds'];
  /** A value of each range on which its numbers depend, computed from the lowest and the highest value of a column. */
  readonly perRange?: { readonly column: string; readonly value: (lowest: string, highest: string) => string };
  /** SQL over the rows of a range that is true if this part of the order decides in it; absent for the first part. */
  readonly applies?: string | undefined;
}

export interface RankedRows {
  /** The table with the rows; its name is also the prefix of the intermediate tables. */
  readonly from: string;
  readonly columns: readonly string[];
  /** SQL of the initial range of a row, such as the number of its type. */
  readonly first: string;
  readonly levels: readonly RangeLevel[];
  /** The whole order. */
  readonly order: string;
}

/** The place of a row among the bounds of a range is below this. */
const placesOfLevel = 1000;

/**
 * The tables that cut rows into ranges of their order, and the query that numbers them from 1 in this order (`id`, then
 * the columns): each range is numbered separately, starting after the rows of all ranges before it. Bounds are stored,
 * because approximate functions may return another result the next time. Tables of bounds are small, so every node gets
 * a copy.
 */
export function rankByRanges(
  rows: RankedRows,
  ranges: RangeSql,
): { readonly tables: readonly FilledTable[]; readonly ranked: string } {
  const { from, columns, levels, order } = rows;
  const { perRange: known } = ranges;
  const listed = columns.join(', ');
  const boundsTable = (level: number): string => `${from}_bounds_${level}`;
  const share = `(SELECT count(*) FROM ${from}) / ${ranges.count}`;
  let cut = `SELECT ${listed}, CAST(${rows.first} AS bigint) AS part FROM ${from}`;
  const tables: FilledTable[] = [];
  const subquery = (name: string, title: string, sql: string): string => {
    if (!ranges.storesSubqueries) return `(${sql})`;
    tables.push({ name, title, selects: [sql.trim()] });
    return name;
  };
  for (const [index, { number, bounds, perRange, applies }] of levels.entries()) {
    const table = boundsTable(index + 1);
    const having = index === 0 ? '' : ` HAVING ${[...(applies ? [applies] : []), `count(*) > ${share}`].join(' AND ')}`;
    const values = [['value', 'values_of']] as const;
    const of = known.value('values_of');
    let cutRows = `(${cut}) AS cut`;
    if (perRange) {
      const ends = `SELECT part, min(${perRange.column}) AS lowest, max(${perRange.column}) AS highest FROM (${cut}) AS cut GROUP BY part${having}`;
      const storedEnds = subquery(`${from}_ends_${index + 1}`, 'Ends of ranges', ends);
      const found = `SELECT part, ${perRange.value('lowest', 'highest')} AS value FROM ${storedEnds} AS ends`;
      const storedValues = subquery(
        `${from}_values_${index + 1}`,
        'What ranges have in common',
        `\n      ${found}\n    `,
      );
      cutRows += ` ${known.join} (SELECT ${known.kept(values)} FROM ${storedValues} AS ranges) AS known${known.on}`;
    }
    const value = perRange === undefined ? '' : `, min(${of}) AS value`;
    const kept = known.kept([[ranges.finished('bounds'), 'bounds'], ...(perRange === undefined ? [] : values)]);
    const title = index === 0 ? 'Bounds of ranges' : 'Bounds within large ranges';
    const numbers = subquery(
      `${from}_numbers_${index + 1}`,
      `${title}: their numbers`,
      `SELECT part, ${bounds(number(of), from)} AS bounds${value} FROM ${cutRows} GROUP BY part${having}`,
    );
    tables.push({ name: table, title, selects: [`SELECT ${kept}\n    FROM ${numbers} AS ranges`] });
    cut = `SELECT ${listed}, ${placesOfLevel} * part + ${ranges.place(number(of), known.value('bounds'))} AS part FROM (${cut}) AS cut ${known.join} ${table} AS bounds_${index + 1}${known.on}`;
  }
  if (ranges.storesSubqueries) {
    const placed = `${from}_placed`;
    tables.push({ name: placed, title: 'Rows with their ranges', selects: [cut], by: byNumber('part') });
    cut = `SELECT ${listed}, part FROM ${placed}`;
  }
  const offsets = `${from}_offsets`;
  const sizes = subquery(
    `${from}_sizes`,
    'Rows of each range',
    `SELECT part, count(*) AS size FROM (${cut}) AS cut GROUP BY part`,
  );
  tables.push({
    name: offsets,
    title: 'Rows before each range',
    selects: [
      `SELECT ${known.kept([['before', 'offsets']])}
    FROM (SELECT part, ${ranges.whole('sum(size) OVER (ORDER BY part)')} - size AS before FROM ${sizes} AS sizes) AS ranges`,
    ],
  });
  // The offset is joined below the window: joined above it, each row would carry the whole lookup table through the
  // sort.
  const ranked = `SELECT before + row_number() OVER (PARTITION BY part ORDER BY ${order}) AS id, ${listed}
    FROM (SELECT ${listed}, part, ${known.value('offsets')} AS before FROM (${cut}) AS cut ${known.join} ${offsets} AS offsets${known.on}) AS placed`;
  return { tables, ranked };
}
