import type { RangeSql } from '../../../dialects/standard/build-sql.ts';
import type { FilledTable } from './filled-table.ts';

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

interface RankedRows {
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
  const { ofRanges, ofRange } = ranges;
  const listed = columns.join(', ');
  const share = `(SELECT count(*) FROM ${from}) / ${ranges.count}`;
  let cut = `SELECT ${listed}, CAST(${rows.first} AS bigint) AS part FROM ${from}`;
  const tables: FilledTable[] = [];
  for (const [index, { number, bounds, perRange, applies }] of levels.entries()) {
    const table = `${from}_bounds_${index + 1}`;
    const having = index === 0 ? '' : ` HAVING ${[...(applies ? [applies] : []), `count(*) > ${share}`].join(' AND ')}`;
    const of = ofRange('values_of');
    const values = perRange ? [`${ofRanges('value')} AS values_of`] : [];
    let cutRows = `(${cut}) AS cut`;
    if (perRange) {
      const ends = `SELECT part, min(${perRange.column}) AS lowest, max(${perRange.column}) AS highest FROM (${cut}) AS cut GROUP BY part${having}`;
      cutRows += ` CROSS JOIN (SELECT ${values.join()} FROM (
      SELECT part, ${perRange.value('lowest', 'highest')} AS value FROM (${ends}) AS ends
    ) AS ranges) AS known`;
    }
    const value = perRange ? `, min(${of}) AS value` : '';
    tables.push({
      name: table,
      title: index === 0 ? 'Bounds of ranges' : 'Bounds within large ranges',
      selects: [
        `SELECT ${[`${ofRanges('bounds')} AS bounds`, ...values].join(', ')}
    FROM (SELECT part, ${bounds(number(of))} AS bounds${value} FROM ${cutRows} GROUP BY part${having}) AS ranges`,
      ],
    });
    cut = `SELECT ${listed}, ${placesOfLevel} * part + ${ranges.place(number(of), ofRange('bounds'))} AS part FROM (${cut}) AS cut CROSS JOIN ${table} AS bounds_${index + 1}`;
  }
  const offsets = `${from}_offsets`;
  tables.push({
    name: offsets,
    title: 'Rows before each range',
    selects: [
      `SELECT ${ofRanges('before')} AS offsets
    FROM (SELECT part, sum(size) OVER (ORDER BY part) - size AS before FROM (SELECT part, count(*) AS size FROM (${cut}) AS cut GROUP BY part) AS sizes) AS ranges`,
    ],
  });
  // The offset is joined below the window: joined above it, each row would carry the whole lookup table through the
  // sort.
  const ranked = `SELECT before + row_number() OVER (PARTITION BY part ORDER BY ${order}) AS id, ${listed}
    FROM (SELECT ${listed}, part, ${ofRange('offsets')} AS before FROM (${cut}) AS cut CROSS JOIN ${offsets} AS offsets) AS placed`;
  return { tables, ranked };
}
