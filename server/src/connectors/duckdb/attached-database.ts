import type { CompiledQuery } from '../../query/compiled-query.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import type { DatabaseValue } from '../../store/staging-database.ts';
import { SourceError } from '../source-error.ts';
import type { DuckdbConfig } from './read-settings.ts';
import { attachError } from './errors.ts';

/** A database that runs SQL, to which the file is attached. */
interface Engine {
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, DatabaseValue>>[]>;
}

/** A table or view of the attached file. */
export interface StoredObject {
  /** The name of the data object: that of the table, with its schema outside of `main`. */
  readonly name: string;
  readonly schema: string;
  readonly table: string;
  /** Its columns of texts, if a column of the file may have a collation. */
  readonly collated: readonly string[];
}

/** The name under which a source's file is attached. */
export function attachedAs({ name }: DuckdbConfig): string {
  return `source ${name}`;
}

/** DuckDB holds a lock on the file until it is detached, so it cannot change meanwhile. */
export function attachSql(config: DuckdbConfig, path: string): string {
  return `ATTACH ${embeddedLiteral(path)} AS ${quoteIdentifier(attachedAs(config))} (READ_ONLY, TYPE duckdb)`;
}

export function detachSql(config: DuckdbConfig): string {
  return `DETACH ${quoteIdentifier(attachedAs(config))}`;
}

/** Attaches the file. Rejects with a `SourceError` for a file that is locked, damaged or of another version. */
export async function attach(engine: Engine, config: DuckdbConfig, path: string, signal?: AbortSignal): Promise<void> {
  try {
    await engine.query(attachSql(config, path), { signal });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw attachError(error, path);
  }
}

/** The tables and views of the attached file, in order of their names. */
export async function storedObjects(engine: Engine, config: DuckdbConfig): Promise<readonly StoredObject[]> {
  const own = `database_name = ${attachedName(config)} AND NOT internal`;
  // DuckDB does not list collations; views have the collations of their tables.
  const rows = await engine.query(
    `WITH collations AS (SELECT count(*) > 0 AS has_any FROM duckdb_tables() WHERE ${own} AND sql ILIKE '%collate%')
     SELECT schema_name, table_name, to_json(coalesce(list(column_name) FILTER (has_any AND data_type = 'VARCHAR'), [])) AS collated
     FROM duckdb_columns(), collations WHERE ${own} GROUP BY ALL ORDER BY ALL`,
  );
  return rows.map((row) => {
    const [schema, table] = [String(row['schema_name']), String(row['table_name'])];
    const collated = JSON.parse(String(row['collated'])) as readonly string[];
    return { name: objectName(schema, table), schema, table, collated };
  });
}

export function objectName(schema: string, table: string): string {
  return schema === 'main' ? table : `${schema}.${table}`;
}

/** The attached name as a literal. */
export function attachedName(config: DuckdbConfig): string {
  return embeddedLiteral(attachedAs(config));
}

/** The data objects of a query. Rejects with `object-missing`. */
export function neededObjects(
  config: DuckdbConfig,
  query: CompiledQuery,
  objects: readonly StoredObject[],
): readonly StoredObject[] {
  return query.dataObjects.map((name) => {
    const found = objects.find((each) => each.name === name);
    if (found) return found;
    throw new SourceError('object-missing', `Data source ${config.name} has no table or view ${name}.`, {
      remedy: objects.length === 0 ? 'It has none.' : `It has: ${listed(objects)}.`,
    });
  });
}

function listed(objects: readonly StoredObject[]): string {
  const names = objects.slice(0, 8).map(({ name }) => name);
  return `${names.join(', ')}${objects.length > names.length ? ' …' : ''}`;
}

/** Queries name data objects without the attached database. Texts are compared by their characters, as in all graphs. */
export function createViewSql(config: DuckdbConfig, { name, schema, table, collated }: StoredObject): string {
  const path = [attachedAs(config), schema, table].map(quoteIdentifier).join('.');
  const texts = collated.map(quoteIdentifier).map((column) => `${column} COLLATE C AS ${column}`);
  const columns = texts.length === 0 ? '*' : `* REPLACE (${texts.join(', ')})`;
  return `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(name)} AS SELECT ${columns} FROM ${path}`;
}

export function dropViewSql({ name }: Pick<StoredObject, 'name'>): string {
  return `DROP VIEW IF EXISTS temp.${quoteIdentifier(name)}`;
}
