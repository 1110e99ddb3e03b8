import { embeddedLiteral } from '../../query/quote.ts';

/** Names for which one aggregation looks: it tests each value for each of them. */
const namesAtOnce = 50;

/**
 * Joins that give each row a list of values for the names, which `joinedValue` reads. The work grows with the number of
 * values, not with the product of values and names; a column for each name would pass through all joins.
 * @param values a table with `owner`, `name` and `value`, or a query of it in parentheses; an owner has each name once.
 * @param owner the column to which `owner` is joined.
 * @param prefix of the names of the joined tables
 */
export function joinValues(names: readonly string[], values: string, owner: string, prefix = 'a'): string {
  const joins: string[] = [];
  for (let start = 0; start < names.length; start += namesAtOnce) {
    const literals = names.slice(start, start + namesAtOnce).map((name) => embeddedLiteral(name));
    const items = literals.map((literal) => `max(value) FILTER (WHERE name = ${literal})`);
    const joined = joinedTable(start, prefix);
    joins.push(`LEFT JOIN (SELECT owner, [${items.join(', ')}] AS held FROM ${values} AS given
      WHERE name IN (${literals.join(', ')}) GROUP BY owner) AS ${joined} ON ${joined}.owner = ${owner}`);
  }
  return joins.join('\n    ');
}

/** SQL of the value of the `index`-th name in rows with the joins of `joinValues`. */
export function joinedValue(index: number, prefix = 'a'): string {
  return `${joinedTable(index, prefix)}.held[${(index % namesAtOnce) + 1}]`;
}

function joinedTable(index: number, prefix: string): string {
  return `${prefix}_held${Math.floor(index / namesAtOnce) * namesAtOnce}`;
}
