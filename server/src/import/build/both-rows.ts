/**
 * The columns of two queries of one row each. Citus refuses a subquery beside aggregates of distributed rows.
 * @param other in parentheses
 */
export function bothRows(one: string, other: string): string {
  return `SELECT * FROM (${one}) AS counted CROSS JOIN ${other} AS beside`;
}
