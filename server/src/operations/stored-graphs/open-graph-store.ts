import { type CodedView, codedViews } from '../../graph-schema/coded-views.ts';
import { hasUnreadableViewsSql, migrationsFrom, readableViewsSql } from '../../graph-schema/migrations.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { type ScratchOptions, type StoreReader, isDuckDbError, openStore } from '../../store/duckdb-store.ts';
import { OperationError } from '../operation-error.ts';

/** Memory limit of queries of a stored graph; DuckDB spills to disk. */
export const graphMemoryLimit = '1500MB';

/**
 * Opens the store of an imported graph read-only, presenting an earlier version as the current one. Rejects with
 * `DuckDbError`, or with
 * `graph-version` for an unsupported version.
 */
export async function openGraphStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  const store = await openStore(path, options);
  try {
    const [run] = await store.query(versionSql);
    const statements = migrationsFrom(Number(run?.['version']));
    if (statements === undefined) throw otherVersion(path, run?.['version']);
    for (const sql of statements) await store.run(sql);
    await showViews(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens a store for the product's own queries, which read names in `event` and `relation` as codes if the store has
 * these (`coded-views.ts`). SQL of users and exported files need the texts.
 */
export async function openCodedGraphStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  const store = await openGraphStore(path, options);
  try {
    await showCodes(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const versionSql = 'SELECT format_version AS version FROM run';

function rowsSql(table: string): string {
  return `SELECT * FROM ${table}`;
}

/**
 * The statements of `openCodedGraphStore`, for the plan of an import.
 * @param columnsOf the columns behind a view that may be missing; undefined if the view is a table
 */
export function openingStatements(
  columnsOf: (view: CodedView['name']) => ReadonlySet<string> | undefined,
): readonly PlanStatement[] {
  return [
    { title: 'The format of the store', sql: versionSql },
    { title: 'Whether it has views of an earlier version', sql: hasUnreadableViewsSql },
    ...codedViews.flatMap(({ name, table, strangeRowSql, createSql }) => {
      const described = { title: 'Described, but not executed', sql: rowsSql(table) };
      const columns = columnsOf(name);
      if (columns === undefined) return [described];
      const strange = strangeRowSql(columns);
      const created = { title: 'Names are read as codes', sql: createSql(columns) };
      return strange === undefined
        ? [described, created]
        : [
            described,
            { title: 'Whether a name has no code', sql: strange },
            { ...created, title: 'If none: names are read as codes' },
          ];
    }),
  ];
}

async function showCodes(store: StoreReader): Promise<void> {
  for (const { table, strangeRowSql, createSql } of codedViews) {
    const columns = await columnsOf(store, table);
    if (columns === undefined) continue;
    const strange = strangeRowSql(columns);
    if (strange !== undefined && (await store.query(strange)).length > 0) continue;
    await store.run(createSql(columns));
  }
}

/** Undefined for a table that the store does not have. Reading the catalogue takes ten times as long. */
async function columnsOf(store: StoreReader, table: string): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await store.describe(rowsSql(table))).map(({ name }) => name));
  } catch (error) {
    if (isDuckDbError(error) && error.failure.kind === 'table-missing') return undefined;
    throw error;
  }
}

async function showViews(store: StoreReader): Promise<void> {
  const [views] = await store.query(hasUnreadableViewsSql);
  if (views?.['found'] !== true) return;
  const [database] = await store.query('SELECT current_database() AS name');
  for (const sql of readableViewsSql(`${quoteIdentifier(String(database?.['name']))}.main`)) await store.run(sql);
}

function otherVersion(path: string, version: unknown): OperationError {
  return new OperationError({
    code: 'graph-version',
    message: `The graph in ${path} has format ${String(version ?? 'unknown')}, which this version of Entity Graph does not read.`,
    remedy: 'Import the entity graph again, or use the version that imported it.',
  });
}
