import type { BuildSql } from '../../dialects/dialect.ts';

/** A value that a query finds, and its name as SQL. */
interface FoundValue {
  readonly name: string;
  readonly query: string;
}

/**
 * A query that returns one row: aggregates, and a value found by another query.
 * @param row the query, with these columns for the value
 */
export function rowWithValue(
  { name, query }: FoundValue,
  { takesSubqueryBesideAggregates }: Pick<BuildSql, 'takesSubqueryBesideAggregates'>,
  row: (columns: readonly string[]) => string,
): string {
  if (takesSubqueryBesideAggregates) return row([`(${query}) AS ${name}`]);
  return `SELECT * FROM (${row([])}) AS counted CROSS JOIN (${query}) AS beside (${name})`;
}
