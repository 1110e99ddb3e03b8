import type { LoadResult, StagedColumn } from '../../connectors/connector.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';

/**
 * Version of the format of cached rows. Version 5 keeps the places of rows of parts in graphs of several data sources.
 */
const format = 5;

/** The query and the time that the rows of a cached table come from. */
export interface RowsOrigin {
  /** Key of the query at its data source (`queryKey`). */
  readonly query: string;
  /** Key of the query and the fingerprint of its rows; absent where the source cannot tell changes. */
  readonly unchanged?: string | undefined;
  /** When the rows were read; ISO 8601, UTC. */
  readonly readAt: string;
}

export interface CachedTable extends RowsOrigin {
  readonly table: string;
  /** The attached file that it is in. */
  readonly database: string;
  readonly loaded: LoadResult;
}

/** The attached file of a row cache, or of a further one. @param place 0-based */
export function cacheDatabase(place: number): string {
  return place === 0 ? 'kept' : `kept_${place}`;
}

/** Detaches the file, if it is attached. */
export function detachCacheSql(database: string): string {
  return `DETACH DATABASE IF EXISTS ${database}`;
}

/** Lists the tables of staged rows: `name`. */
export const listTablesSql =
  'SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary';

/** Creates the table that describes cached ones, to be kept with them. */
export const createListSql =
  'CREATE TABLE kept_rows (format INTEGER, query VARCHAR, unchanged VARCHAR, read_at VARCHAR, "table" VARCHAR, source_rows BIGINT, columns VARCHAR, warnings VARCHAR, marks VARCHAR)';

/** The table that describes cached ones. */
export const describingTable = 'kept_rows';

/** Lists the cached tables; see `readCached`. */
export function listCachedSql(database: string): string {
  return `SELECT * FROM ${database}.main.kept_rows WHERE format = ${format}`;
}

/** Lists the keys of the queries of a file that is opened by itself, and of their unchanged rows: `query`, `unchanged`. */
export const listQueriesSql = `SELECT query, unchanged FROM kept_rows WHERE format = ${format}`;

/** Attaches the file at a path. */
export function attachCacheSql(path: string, database: string): string {
  return `ATTACH ${embeddedLiteral(path)} AS ${database} (READ_ONLY)`;
}

/** Creates a staged table from the rows of a cached one. */
export function takeRowsSql(table: string, from: Pick<CachedTable, 'database' | 'table'>): string {
  return `CREATE TABLE ${quoteIdentifier(table)} AS SELECT * FROM ${cachedName(from)}`;
}

/** The SQL name of a cached table. */
export function cachedName({ database, table }: Pick<CachedTable, 'database' | 'table'>): string {
  return `${database}.main.${quoteIdentifier(table)}`;
}

export function dropTableSql(table: string): string {
  return `DROP TABLE ${quoteIdentifier(table)}`;
}

/** @param row of the list (`listCachedSql`) */
export function readCached(database: string, row: Readonly<Record<string, unknown>>): CachedTable {
  const columns = JSON.parse(String(row['columns'])) as StagedColumn[];
  const warnings = JSON.parse(String(row['warnings'])) as string[];
  const { unchanged, marks } = row;
  return {
    query: String(row['query']),
    unchanged: typeof unchanged === 'string' ? unchanged : undefined,
    readAt: String(row['read_at']),
    table: String(row['table']),
    database,
    loaded: {
      sourceRows: Number(row['source_rows']),
      columns,
      warnings,
      marks: typeof marks === 'string' ? marks : undefined,
    },
  };
}

/** Describes a table to be kept. */
export function insertCachedSql(
  { query, unchanged, readAt }: RowsOrigin,
  table: string,
  { sourceRows, columns, warnings, marks }: LoadResult,
): string {
  const values = [query, unchanged, readAt, table].map(textOrNull);
  const json = [columns, warnings].map((value) => textOrNull(JSON.stringify(value)));
  const row = [format, ...values, sourceRows, ...json, textOrNull(marks)];
  return `INSERT INTO kept_rows VALUES (${row.join(', ')})`;
}

function textOrNull(text: string | undefined): string {
  return text === undefined ? 'NULL' : embeddedLiteral(text);
}
