import { dialectNamed } from '../dialects/index.ts';
import type { LocatedSql } from '../model/source-range.ts';
import type { CompiledQuery, ElementQuery, MasterDataQuery } from './compiled-query.ts';
import { printElementSelect } from './print-query.ts';
import type { ElementRows, ElementSelect, ExpressionItem, SelectItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';
import { zonesOf } from './result-zones.ts';

type RowsQuery = ElementQuery | MasterDataQuery;
type Item = SelectItem | ExpressionItem;

/** One query in place of several of the same rows, of which each has some of its rows and columns. */
export interface JointQuery {
  readonly query: CompiledQuery;
  readonly parts: readonly JointPart[];
}

interface JointPart {
  /** The query in whose place it is. */
  readonly of: RowsQuery;
  /** The places of its columns in the result. */
  readonly columns: readonly number[];
  /** The place of the column that is 1 in its rows. */
  readonly flag: number;
}

/**
 * Reads the rows of several queries of one data object, with the same joins, by *(one condition) OR (another)*. Of queries
 * that do not fit the first they are left out; undefined if no other is left. Records that are fetched are read once
 * anyway.
 */
export function jointQuery(queries: readonly RowsQuery[]): JointQuery | undefined {
  const [first] = queries;
  if (!first || first.reads) return undefined;
  const dialect = dialectNamed(first.dialect);
  const columns = new Map<string, Item>();
  const joined = queries.filter((query) => isOfSameRows(query, first) && addColumns(query, columns));
  if (joined.length < 2) return undefined;
  const items = [...columns.values()];
  const names = items.map(({ as }) => as);
  const flags = resultNames(
    joined.map((_, index) => `in_${index + 1}`),
    first.dialect,
    names,
  ).map((as, index): ExpressionItem => ({ as, expression: flagSql(joined[index]?.select.rows.where) }));
  const { where: _, ...rows } = first.select.rows;
  const conditions = joined.map(({ select }) => select.rows.where);
  const select: ElementSelect = {
    items: [...items, ...flags],
    rows: { ...rows, ...(conditions.every((each) => each !== undefined) && { where: anyOf(conditions) }) },
  };
  // Mistakes are found in the queries themselves, so that no place of them is needed.
  const { sql } = printElementSelect(select, dialect);
  return {
    query: {
      dialect: first.dialect,
      sql,
      fragments: [],
      references: [],
      columns: select.items.map(({ as }) => as),
      dataObjects: distinct(joined.flatMap(({ dataObjects }) => dataObjects)),
      texts: distinct(joined.flatMap(({ texts = [] }) => texts)),
      known: distinct(joined.flatMap(({ known = [] }) => known)),
      zones: zonesOf(names, zoneOf(first)),
      helpers: flags.map(({ as: name }) => ({ name })),
    },
    parts: joined.map((of, index) => ({
      of,
      columns: of.select.items.map(({ as }) => names.indexOf(as)),
      flag: items.length + index,
    })),
  };
}

function isOfSameRows(query: RowsQuery, first: RowsQuery): boolean {
  const of = ({ from: { path, alias }, joins }: ElementRows): string => JSON.stringify([path, alias, joins?.value]);
  return (
    query.dialect === first.dialect &&
    !query.reads &&
    zoneOf(query) === zoneOf(first) &&
    // A condition that loses the order of rows would lose that of all.
    query.roles.rowOrder === first.roles.rowOrder &&
    of(query.select.rows) === of(first.select.rows)
  );
}

/** All columns of an entry are in one zone. */
function zoneOf({ zones = {} }: RowsQuery): string | undefined {
  return Object.values(zones)[0];
}

/** False if a result column of this name has other values; then none is added. */
function addColumns({ select: { items } }: RowsQuery, columns: Map<string, Item>): boolean {
  const known = new Map([...columns].map(([name, item]) => [name.toLowerCase(), item]));
  const isFree = ({ as }: Item): boolean => !known.has(as.toLowerCase());
  if (!items.every((item) => isFree(item) || isSame(item, columns.get(item.as)))) return false;
  for (const item of items) if (isFree(item)) columns.set(item.as, item);
  return true;
}

function isSame(one: Item, other: Item | undefined): boolean {
  const valueOf = (item: Item): unknown =>
    'column' in item ? [item.column.alias, item.column.name, item.textType] : item.expression.value;
  return other !== undefined && JSON.stringify(valueOf(one)) === JSON.stringify(valueOf(other));
}

/** User SQL is on its own lines, so that a trailing comment ends with it. */
function flagSql(where: LocatedSql | undefined): LocatedSql {
  return unlocated(where ? `CASE WHEN (\n${where.value}\n) THEN 1 ELSE 0 END` : '1');
}

function anyOf(conditions: readonly LocatedSql[]): LocatedSql {
  return unlocated([...new Set(conditions.map(({ value }) => `(\n${value}\n)`))].join(' OR '));
}

function unlocated(value: string): LocatedSql {
  return { value, range: { start: 0, end: 0 }, sourceOffsets: [] };
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}
