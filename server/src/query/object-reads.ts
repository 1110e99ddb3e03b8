import { findDataObject, type Catalog, type DataObject } from '../catalog/catalog.ts';
import type { CompiledQuery, ObjectRead, ReadLink } from './compiled-query.ts';
import { identifierKey, mentionedNames } from './sql-names.ts';
import { sqlTokens, type SqlToken } from './sql-tokens.ts';

/** A place in the model that reads the rows of a data object. */
export interface RowSource {
  readonly dataObject: string;
  readonly joins?: string | undefined;
  readonly where?: string | undefined;
  /** The relation of its rows to those of another place. */
  readonly link?: ReadLink | undefined;
}

/**
 * What a query reads of each data object, for fetched sources (REST); undefined for others. May contain too many
 * columns and rows: the query itself runs on the fetched records.
 * @param places where the model reads data objects, the first one row by row
 * @param texts all custom SQL of the query
 */
export function objectReads(
  query: { readonly sql: string; readonly dataObjects: readonly string[] },
  places: readonly RowSource[],
  texts: readonly string[],
  catalog: Catalog,
): readonly ObjectRead[] | undefined {
  if (!catalog.isFetched) return undefined;
  const names = mentionedNames(query.sql, 'duckdb');
  const readsAll = texts.some(mayReadAllColumns);
  const hasWindow = texts.some((text) => mentionedNames(text, 'duckdb').has('over'));
  return query.dataObjects.map((dataObject) => {
    const object = findDataObject(catalog, dataObject);
    const columns = (object?.columns ?? []).filter(
      ({ name, primaryKey, identifying = false }) =>
        readsAll || primaryKey || identifying || names.has(identifierKey(name, 'duckdb')),
    );
    const own = places.filter((place) => place.dataObject === dataObject);
    // A self-join, or a subquery on the same table, may read rows outside of the element's filter.
    const isReadElsewhere = texts.some((text) => mentionsTable(text, object?.path.at(-1) ?? dataObject));
    const keepsRows = own.every(({ joins }) => joins === undefined || !addsMissingRows(joins));
    const filters = own.flatMap(({ where }) => (where === undefined ? [] : [where]));
    const isFiltered = own.length > 0 && filters.length === own.length && !isReadElsewhere && keepsRows;
    const mayBePart = !isReadElsewhere && keepsRows;
    const link = own.length > 0 && mayBePart ? own.find((place) => place.link)?.link : undefined;
    const isFirst = dataObject === places[0]?.dataObject;
    return {
      dataObject,
      columns,
      ...estimateOf(object),
      ...(isFiltered && { filters: [...new Set(filters)] }),
      // When both relationship ends are one data object, related rows are fetched as well.
      // A window function computes a row from others, which may come last.
      leads: isFirst && mayBePart && !hasWindow && (own.length === 1 || link?.of === dataObject),
      ...(link && (!isFirst || link.of === dataObject) && { link }),
    };
  });
}

/** Reads these data objects completely, for queries with unknown reads. */
export function wholeReads(dataObjects: readonly string[], catalog: Pick<Catalog, 'objects'>): readonly ObjectRead[] {
  return dataObjects.map((dataObject) => {
    const object: DataObject | undefined = findDataObject(catalog, dataObject);
    return { dataObject, columns: object?.columns ?? [], ...estimateOf(object), leads: false };
  });
}

function estimateOf(object: DataObject | undefined): Pick<ObjectRead, 'rowEstimate'> {
  const estimate = object?.statistics.rowEstimate;
  return estimate === undefined ? {} : { rowEstimate: estimate };
}

/** Combines reads: every column, and every row that one of them needs. */
export function mergedReads(reads: readonly ObjectRead[]): readonly ObjectRead[] {
  const merged = new Map<string, ObjectRead>();
  for (const read of reads) {
    const known = merged.get(read.dataObject);
    merged.set(read.dataObject, known ? mergedRead(known, read) : read);
  }
  return [...merged.values()];
}

/** The combined reads of an import with these queries. */
export function plannedRead(read: ObjectRead, queries: readonly CompiledQuery[]): ObjectRead {
  const planned = queries.flatMap(({ reads = [] }) => reads.filter(({ dataObject }) => dataObject === read.dataObject));
  return mergedReads([...planned, read])[0] ?? read;
}

/** Whether records fetched for one read satisfy another. */
export function serves(fetched: ObjectRead, read: ObjectRead): boolean {
  const names = new Set(fetched.columns.map(({ name }) => name));
  const hasRows =
    fetched.filters === undefined || (read.filters?.every((filter) => fetched.filters?.includes(filter)) ?? false);
  return hasRows && read.columns.every(({ name }) => names.has(name));
}

function mergedRead(one: ObjectRead, other: ObjectRead): ObjectRead {
  const names = new Set(one.columns.map(({ name }) => name));
  const columns = [...one.columns, ...other.columns.filter(({ name }) => !names.has(name))];
  const filters = one.filters && other.filters ? [...new Set([...one.filters, ...other.filters])] : undefined;
  const { dataObject, rowEstimate } = one;
  return {
    dataObject,
    columns,
    rowEstimate,
    filters,
    leads: one.leads && other.leads,
  };
}

/** `*` and `NATURAL` read columns without naming them. */
function mayReadAllColumns(sql: string): boolean {
  const tokens = significant(sql);
  return tokens.some((token, index) => {
    if (token.kind === 'word') return /^(?:natural|columns)$/i.test(token.text);
    if (token.text !== '*') return false;
    const before = tokens[index - 1];
    return before === undefined || /^(?:[.,]|select|distinct|all)$/i.test(before.text);
  });
}

/** Whether SQL names the table itself, not only a column of it. */
function mentionsTable(sql: string, table: string): boolean {
  const tokens = significant(sql);
  const key = identifierKey(table, 'duckdb');
  return tokens.some((token, index) => {
    const isName = token.kind === 'word' || token.kind === 'quoted';
    return isName && identifierKey(token.text, 'duckdb') === key && tokens[index + 1]?.text !== '.';
  });
}

/** Right and full joins produce rows for missing matches, so omitting rows would add some. */
function addsMissingRows(joins: string): boolean {
  return significant(joins).some(
    (token) => token.kind === 'word' && /^(?:right|full|anti|semi|asof|positional)$/i.test(token.text),
  );
}

function significant(sql: string): readonly SqlToken[] {
  return sqlTokens(sql).filter(({ kind }) => kind !== 'comment');
}
