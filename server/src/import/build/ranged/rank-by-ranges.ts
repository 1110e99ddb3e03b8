import type { RangeSql } from '../../../dialects/dialect.ts';
import { type FilledTable, byNumber } from './filled-table.ts';

/** A part of the order by which ranges are cut, the most significant first. */
export interface RangeLevel {
  /**
   * SQL of the number by which a row of a range is placed among its bounds.
   * @param of a value of its range, see `perRange`
   */
  readonly number: (of: string) => string;
  /** Aggregates the numbers of a range to bounds. */
  readonly bounds: RangeSql['bounds'];
  /** A value of each range that its numbers depend on, from the lowest and the highest value of a column. */
  readonly perRange?: { readonly column: string; readonly value: (lowest: string, highest: string) => string };
  /** True for ranges, aggregated over their rows, in which this part of the order decides. */
  readonly applies?: string | undefined;
}

export interface RankedRows {
  /** The table with the rows, and the prefix of the names of helping tables. */
  readonly from: string;
  readonly columns: readonly string[];
  /** SQL of the range of a row before any is cut, such as the number of its type. */
  readonly first: string;
  readonly levels: readonly RangeLevel[];
  /** The whole order. */
  readonly order: string;
}

/** Places among bounds are below this. */
const placesOfLevel = 1000;

/**
 * The tables that cut rows into ranges of their order, and the query that numbers them from 1 in this order (`id`, then
 * the columns): each range by itself, behind the rows of all ranges before it. Bounds are stored, because approximate
 * functions may answer differently twice. Tables of bounds are small, and every node gets them.
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
  // Looked up before rows are sorted: above the window, each row would carry the whole lookup through it.
  const ranked = `SELECT before + row_number() OVER (PARTITION BY part ORDER BY ${order}) AS id, ${listed}
    FROM (SELECT ${listed}, part, ${known.value('offsets')} AS before FROM (${cut}) AS cut ${known.join} ${offsets} AS offsets${known.on}) AS placed`;
  return { tables, ranked };
}
