import type { BuildDialect } from '../build-dialect.ts';
import type { RangeSql } from '../../../dialects/dialect.ts';

/** A statement that ranks rows by ranges. */
export interface RankingStep {
  readonly name: string;
  readonly title: string;
  readonly sql: string;
}

/** A part of the order by which ranges are cut, the most significant first. */
export interface RangeLevel {
  /** SQL of the number by which a row of a range is placed among its bounds. @param of a value of its range, see `perRange` */
  readonly number: (of: string) => string;
  /** Aggregates the numbers of a range to bounds. */
  readonly bounds: (number: string) => string;
  /** A value of each range that its numbers depend on, from the lowest and the highest value of a column. */
  readonly perRange?: { readonly column: string; readonly value: (lowest: string, highest: string) => string };
  /** True for ranges, aggregated over their rows, in which this part of the order decides. */
  readonly applies?: string;
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
 * The steps that cut rows into ranges of their order, and the query that numbers them from 1 in this order (`id`, then
 * the columns): each range by itself, behind the rows of all ranges before it. Bounds are stored, because approximate
 * functions may answer differently twice. Tables of bounds have one row, which every node gets.
 */
export function rankByRanges(
  rows: RankedRows,
  { build }: BuildDialect,
  ranges: RangeSql,
): { readonly steps: readonly RankingStep[]; readonly ranked: string } {
  const { from, columns, levels, order } = rows;
  const listed = columns.join(', ');
  const boundsTable = (level: number): string => `${from}_bounds_${level}`;
  const share = `(SELECT count(*) FROM ${from}) / ${ranges.count}`;
  let cut = `SELECT ${listed}, CAST(${rows.first} AS bigint) AS part FROM ${from}`;
  const steps: RankingStep[] = [];
  for (const [index, { number, bounds, perRange, applies }] of levels.entries()) {
    const table = boundsTable(index + 1);
    const having = index === 0 ? '' : ` HAVING ${[...(applies ? [applies] : []), `count(*) > ${share}`].join(' AND ')}`;
    const values = perRange === undefined ? '' : `, ${ranges.lookup('part', 'value')} AS values_of`;
    const of = ranges.lookedUp('values_of', 'part');
    const cutRows =
      perRange === undefined
        ? `(${cut}) AS cut`
        : `(${cut}) AS cut CROSS JOIN (SELECT ${ranges.lookup('part', 'value')} AS values_of FROM (
      SELECT part, ${perRange.value('lowest', 'highest')} AS value FROM (SELECT part, min(${perRange.column}) AS lowest, max(${perRange.column}) AS highest FROM (${cut}) AS cut GROUP BY part${having}) AS ends
    ) AS ranges) AS known`;
    const value = perRange === undefined ? '' : `, min(${of}) AS value`;
    steps.push({
      name: table,
      title: index === 0 ? 'Bounds of ranges' : 'Bounds within large ranges',
      sql: `${build.createStaging} ${table} AS SELECT ${ranges.lookup('part', 'bounds')} AS bounds${values}
    FROM (SELECT part, ${bounds(number(of))} AS bounds${value} FROM ${cutRows} GROUP BY part${having}) AS ranges`,
    });
    const bound = ranges.lookedUp('bounds', 'part');
    cut = `SELECT ${listed}, ${placesOfLevel} * part + ${ranges.place(number(of), bound)} AS part FROM (${cut}) AS cut CROSS JOIN ${table} AS bounds_${index + 1}`;
  }
  const offsets = `${from}_offsets`;
  steps.push({
    name: offsets,
    title: 'Rows before each range',
    sql: `${build.createStaging} ${offsets} AS SELECT ${ranges.lookup('part', 'before')} AS offsets
    FROM (SELECT part, sum(size) OVER (ORDER BY part) - size AS before FROM (SELECT part, count(*) AS size FROM (${cut}) AS cut GROUP BY part) AS sizes) AS ranges`,
  });
  const before = ranges.lookedUp('offsets', 'part');
  // Looked up before rows are sorted: above the window, each row would carry the whole lookup through it.
  const ranked = `SELECT before + row_number() OVER (PARTITION BY part ORDER BY ${order}) AS id, ${listed}
    FROM (SELECT ${listed}, part, ${before} AS before FROM (${cut}) AS cut CROSS JOIN ${offsets} AS offsets) AS placed`;
  return { steps, ranked };
}
