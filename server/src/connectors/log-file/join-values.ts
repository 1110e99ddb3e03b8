import { embeddedLiteral } from '../../query/quote.ts';

/** Names for which one aggregation looks: it tests each value for each of them. */
const namesAtOnce = 50;

/**
 * Joins that give each row a column for each name: `a0` for the first, and so on, with another prefix if that is given. The work grows with the number of
 * values, not with the product of values and names.
 * @param values a table with `owner`, `name` and `value`, or a query of it in parentheses; an owner has each name once.
 * @param owner the column to which `owner` is joined.
 */
export function joinValues(names: readonly string[], values: string, owner: string, prefix = 'a'): string {
  const joins: string[] = [];
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const literals = names.slice(start, start + namesAtOnce).map((name) => embeddedLiteral(name));
    const columns = literals.map(
      (literal, index) => `max(value) FILTER (WHERE name = ${literal}) AS ${prefix}${start + index}`,
    );
    joins.push(`LEFT JOIN (SELECT owner, ${columns.join(', ')} FROM ${values} AS given
      WHERE name IN (${literals.join(', ')}) GROUP BY owner) AS ${prefix}_held${start} ON ${prefix}_held${start}.owner = ${owner}`);
  }
  return joins.join('\n    ');
}
