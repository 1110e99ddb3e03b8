import { quoteIdentifier } from '../../query/quote.ts';
import { type ComparedRows, exactColumns } from './compared-rows.ts';

/**
 * Counts the pairs of a relationship of which the staged table has more or fewer than the cached one (`changed`). Pairs
 * have no order (docs/semantics.md#61-relations-are-pairs-of-entities): a join may return them in any order.
 * @param cached the SQL name of the table of the previous import
 */
export function countChangedPairsSql({ table, deciding }: ComparedRows, cached: string): string {
  const values = deciding.flatMap(exactColumns);
  const columns = values.map((_, index) => `v${index}`);
  const pairs = (from: string, sign: number): string =>
    `SELECT ${[...values.map((value, index) => `${value} AS v${index}`), `${sign} AS sign`].join(', ')} FROM ${from}`;
  return `SELECT count(*) AS changed FROM (
      SELECT sum(sign) AS more FROM (${pairs(quoteIdentifier(table), 1)} UNION ALL ${pairs(cached, -1)}) AS pair
      GROUP BY ${columns.join(', ')}
    ) AS pairs WHERE more <> 0`;
}
