import type { RowCondition } from '../../../protocol/query-results.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { ElementQuery, MasterDataQuery } from './compiled-query.ts';
import { fileRowColumn } from './file-row.ts';

type RowsQuery = ElementQuery | MasterDataQuery;

/**
 * The query with only those rows that fulfil a condition. Where rows are compared with others, a first column says how many have the same values.
 * Undefined where the query has no such column.
 */
export function someRows<Query extends RowsQuery>(query: Query, only: RowCondition): Query | undefined {
  const { identifiers, literals } = dialectNamed(query.dialect);
  const { quote } = identifiers;
  const isNull = (column: string): string => `${quote(column)} IS NULL`;
  const isThere = (column: string): string => `${quote(column)} IS NOT NULL`;
  const nameOf = (column: string): string | undefined => resultOf(query, column);
  switch (only.kind) {
    case 'withoutKey':
      return filtered(query, query.roles.key.map(isNull).join(' OR '));
    case 'repeatedKey':
      return repeated(query, query.roles.key);
    case 'withoutActivity': {
      if (query.kind === 'entities' || query.roles.activityColumn === undefined) return undefined;
      const { key, startTimestamp, activityColumn } = query.roles;
      return filtered(query, [...[...key, startTimestamp].map(isThere), isNull(activityColumn)].join(' AND '));
    }
    case 'changeBeforeStart': {
      if (query.kind === 'entities' || query.roles.changeTimestamp === undefined) return undefined;
      const { key, startTimestamp, changeTimestamp } = query.roles;
      const isBefore = `${quote(changeTimestamp)} < ${quote(startTimestamp)}`;
      return filtered(query, [...key.map(isThere), isBefore].join(' AND '));
    }
    case 'infiniteTime': {
      if (query.kind === 'entities') return undefined;
      const { startTimestamp, changeTimestamp } = query.roles;
      const times = [startTimestamp, changeTimestamp].filter((name) => name !== undefined);
      const infinite = ['infinity', '-infinity'].map((time) => literals.quote(time)).join(', ');
      return filtered(query, times.map((time) => `${quote(time)} IN (${infinite})`).join(' OR '));
    }
    case 'empty': {
      const column = nameOf(only.column);
      return column === undefined ? undefined : filtered(query, isNull(column));
    }
    case 'repeated': {
      const columns = only.columns.map(nameOf).filter((name) => name !== undefined);
      return columns.length < only.columns.length ? undefined : repeated(query, columns);
    }
    case 'otherValue': {
      const column = nameOf(only.column);
      const expected = only.expected.map((value) => literals.quote(value)).join(', ');
      return column === undefined ? undefined : filtered(query, `${quote(column)} NOT IN (${expected})`);
    }
  }

  function repeated(of: Query, columns: readonly string[]): Query {
    const list = columns.map(quote).join(', ');
    const same = freeName('rows', of.columns);
    const counted = wrapped(of, `SELECT count(*) OVER (PARTITION BY ${list}) AS ${quote(same)}, core.* FROM (\n`, [
      `\n) AS core`,
      `WHERE ${columns.map(isThere).join(' AND ')}`,
    ]);
    const again = wrapped(counted, 'SELECT * FROM (\n', [
      '\n) AS counted',
      `WHERE ${quote(same)} > 1`,
      `ORDER BY ${list}`,
    ]);
    return { ...again, columns: [same, ...of.columns] };
  }
}

function filtered<Query extends RowsQuery>(query: Query, condition: string): Query {
  const order = query.roles.rowOrder === undefined ? [] : [`ORDER BY ${quoteIn(query, fileRowColumn)}`];
  return wrapped(query, 'SELECT * FROM (\n', ['\n) AS core', `WHERE ${condition}`, ...order]);
}

function quoteIn({ dialect }: RowsQuery, name: string): string {
  return dialectNamed(dialect).identifiers.quote(name);
}

function wrapped<Query extends RowsQuery>(query: Query, before: string, after: readonly string[]): Query {
  const moved = <Placed extends { readonly offset: number }>(placed: Placed): Placed => ({
    ...placed,
    offset: placed.offset + before.length,
  });
  return {
    ...query,
    sql: `${before}${query.sql}${after.join('\n')}`,
    fragments: query.fragments.map(moved),
    references: query.references.map(moved),
  };
}

/** The result column with the texts of a column, else with its values. */
function resultOf({ columns, helpers = [] }: RowsQuery, column: string): string | undefined {
  const text = helpers.find(({ textOf }) => textOf === column)?.name;
  return text ?? columns.find((name) => name === column);
}

function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let index = 2; names.has(name); index += 1) name = `${wanted}_${index}`;
  return name;
}
