import type { RowCondition } from '../../../protocol/query-results.ts';
import { dialectNamed } from '../dialects/index.ts';
import { isUtcName } from '../model/utc-names.ts';
import type { ElementQuery, KnownColumn, MasterDataQuery } from './compiled-query.ts';
import { fileRowColumn } from './file-row.ts';
import { textByCharacters } from './print-query.ts';
import { zoneOfResult } from './result-zones.ts';

type RowsQuery = ElementQuery | MasterDataQuery;

/**
 * Restricts a query to the rows that fulfil a condition. For conditions that compare rows, a first column has the
 * number of rows with equal values. Undefined if the data source cannot return exactly the rows that an import counts,
 * or lacks the column.
 * @param timeZone of times without zone in the data source
 */
export function someRows<Query extends RowsQuery>(
  query: Query,
  only: RowCondition,
  timeZone: string,
): Query | undefined {
  const { key } = query.roles;
  const tests = rowTests(query, timeZone);
  switch (only.kind) {
    case 'withoutKey':
      return filtered(query, anyOf(key.map(tests.isMissing)));
    case 'repeatedKey':
      return repeated(query, key.map(tests.text), query.roles.properties.map(tests.text));
    case 'key':
      return filtered(query, allOf(keyTests(key, only.key, tests.is)));
    case 'withoutActivity': {
      if (query.kind === 'entities' || query.roles.activityColumn === undefined) return undefined;
      const { startTimestamp, activityColumn } = query.roles;
      const hasStart = tests.isFinite(startTimestamp);
      return filtered(query, allOf([...key.map(tests.isThere), hasStart, tests.isMissing(activityColumn)]));
    }
    case 'changeBeforeStart':
    case 'endBeforeStart': {
      if (query.kind === 'entities') return undefined;
      const { startTimestamp, changeTimestamp, endTimestamp, endsOfDays } = query.roles;
      const later = only.kind === 'endBeforeStart' ? endTimestamp : changeTimestamp;
      if (later === undefined || endsOfDays) return undefined;
      const isEvent = [...key.map(tests.isThere), tests.isFinite(startTimestamp), tests.isFinite(later)];
      return filtered(query, allOf([...isEvent, tests.isBefore(later, startTimestamp)]));
    }
    case 'infiniteTime':
      // Two times of a row count as two.
      if (query.kind === 'entities' || (query.roles.changeTimestamp ?? query.roles.endTimestamp) !== undefined)
        return undefined;
      return filtered(query, tests.isInfinite(query.roles.startTimestamp));
    case 'empty': {
      const name = resultOf(query, only.column);
      return filtered(query, name === undefined ? undefined : tests.isMissing(name));
    }
    case 'repeated':
      return repeated(
        query,
        only.columns.map((column) => {
          const name = resultOf(query, column);
          return name === undefined ? undefined : tests.text(name);
        }),
      );
    case 'otherValue': {
      const name = resultOf(query, only.column);
      return filtered(query, name === undefined ? undefined : tests.isNoneOf(name, only.expected));
    }
  }
}

/** SQL of conditions on result columns; undefined if the result in the data source could differ from an import. */
function rowTests(query: RowsQuery, timeZone: string) {
  const dialect = dialectNamed(query.dialect);
  const { identifiers, literals, canonical, operators, times, exact } = dialect;
  const { quote } = identifiers;
  const known = (name: string): KnownColumn | undefined => query.known?.find((each) => each.name === name);
  const text = (name: string): string | undefined => {
    const column = known(name);
    if (!column || !exact.texts(column.type, column.sense)) return undefined;
    if (column.collation !== undefined && !operators.texts) return undefined;
    return textByCharacters(canonical.value(`(${quote(name)})`, column.type, column.sense), column, dialect);
  };
  /** A time that needs no conversion to compare. */
  const time = (name: string): KnownColumn | undefined => {
    const column = known(name);
    return column && isUtcName(zoneOfResult(query, name, timeZone)) && exact.times(column.type, column.sense)
      ? column
      : undefined;
  };
  const isNull = (name: string, is: string): string | undefined =>
    exact.nulls(known(name)?.sense) ? `${quote(name)} ${is}` : undefined;
  return {
    text,
    isMissing: (name: string) => isNull(name, 'IS NULL'),
    isThere: (name: string) => isNull(name, 'IS NOT NULL'),
    isFinite: (name: string) => time(name) && times.isFinite(quote(name)),
    isInfinite: (name: string) => time(name) && `NOT ${times.isFinite(quote(name))}`,
    isBefore: (name: string, other: string) =>
      time(name) && time(name)?.type === time(other)?.type ? `${quote(name)} < ${quote(other)}` : undefined,
    is: (name: string, wanted: string) => {
      const [value, column] = [text(name), known(name)];
      if (value === undefined || !column) return undefined;
      return `${value} = ${textByCharacters(literals.quote(wanted), column, dialect)}`;
    },
    isNoneOf: (name: string, values: readonly string[]) => {
      const [value, column] = [text(name), known(name)];
      if (value === undefined || !column) return undefined;
      const list = values.map((each) => textByCharacters(literals.quote(each), column, dialect)).join(', ');
      return `${value} NOT IN (${list})`;
    },
  };
}

type Condition = string | undefined;

/** The parts of a key with several columns are a JSON array (docs/semantics.md#43-the-text-of-a-key). */
function keyTests(
  columns: readonly string[],
  key: string,
  is: (name: string, wanted: string) => Condition,
): readonly Condition[] {
  const parts = columns.length === 1 ? [key] : partsOf(key);
  if (parts.length !== columns.length) return [undefined];
  return columns.map((name, index) => is(name, parts[index] ?? ''));
}

function partsOf(key: string): readonly string[] {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) ? parts.map(String) : [];
  } catch {
    return [];
  }
}

function allOf(conditions: readonly Condition[], operator = 'AND'): Condition {
  return conditions.includes(undefined) ? undefined : conditions.join(` ${operator} `);
}

function anyOf(conditions: readonly Condition[]): Condition {
  return allOf(conditions, 'OR');
}

function filtered<Query extends RowsQuery>(query: Query, condition: Condition): Query | undefined {
  if (condition === undefined) return undefined;
  const order = query.roles.rowOrder === undefined ? [] : [`ORDER BY ${quoteIn(query, fileRowColumn)}`];
  return wrapped(query, 'SELECT * FROM (\n', ['\n) AS core', `WHERE ${condition}`, ...order]);
}

/** @param values of which one must differ within the rows of the same `texts`; none: all rows are selected */
function repeated<Query extends RowsQuery>(
  query: Query,
  texts: readonly Condition[],
  values: readonly Condition[] = [],
): Query | undefined {
  const list = allOf(texts, ',');
  if (list === undefined || values.includes(undefined)) return undefined;
  const areThere = texts.map((text) => `${text ?? ''} IS NOT NULL`).join(' AND ');
  const same = freeName('rows', query.columns);
  const columns = [same, ...query.columns];
  const shown = quoteIn(query, same);
  const within = `OVER (PARTITION BY ${list})`;
  // A column for each value: MariaDB 10.11 evaluates an OR of many window functions incorrectly.
  const compared = values.map((value = '', index) => {
    const name = quoteIn(query, freeName(`differs_${index + 1}`, columns));
    return { name, sql: `${differsSql(value, within)} AS ${name}` };
  });
  const counts = [`count(*) ${within} AS ${shown}`, ...compared.map(({ sql }) => sql)];
  const counted = wrapped(query, `SELECT ${counts.join(', ')}, core.* FROM (\n`, [`\n) AS core`, `WHERE ${areThere}`]);
  const isCompared = compared.length > 0;
  const selected = isCompared ? columns.map((name) => quoteIn(query, name)).join(', ') : '*';
  const isWanted = isCompared ? `(${compared.map(({ name }) => name).join(' OR ')})` : `${shown} > 1`;
  const again = wrapped(counted, `SELECT ${selected} FROM (\n`, [
    '\n) AS counted',
    `WHERE ${isWanted}`,
    `ORDER BY ${list}`,
  ]);
  // A row is compared with others, which may come last.
  const reads = query.reads?.map((read) => ({ ...read, leads: false }));
  return { ...again, columns, reads };
}

/** Whether a text has two values among the rows of a window, or is missing in some of them. */
function differsSql(text: string, within: string): string {
  return `min(${text}) ${within} <> max(${text}) ${within} OR (count(${text}) ${within} > 0 AND count(${text}) ${within} < count(*) ${within})`;
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
function resultOf({ known = [] }: RowsQuery, column: string): string | undefined {
  return known.findLast((each) => each.column === column)?.name;
}

function freeName(wanted: string, taken: readonly string[]): string {
  const names = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let index = 2; names.has(name); index += 1) name = `${wanted}_${index}`;
  return name;
}
