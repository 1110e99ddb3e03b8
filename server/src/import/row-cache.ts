import { createHash } from 'node:crypto';
import { copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { LoadResult, Pull, StagedColumn } from '../connectors/connector.ts';
import type { CompiledQuery, PlanStatement } from '../query/compiled-query.ts';
import { quoteIdentifier, quoteLiteral } from '../query/quote.ts';
import type { BuildDatabase } from '../store/duckdb-store.ts';
import { type StatementsStep, runValue } from './build/plan-statement.ts';

/** Rows of earlier imports, which need not be pulled again if unchanged. */
export interface RowCache {
  /** Creates a table from the cached rows of a key; undefined if not cached. */
  take(key: string, table: string, signal: AbortSignal | undefined): Promise<LoadResult | undefined>;
  /** Announces a completely staged table and its cache key. */
  keep(key: string, table: string, loaded: LoadResult): void;
  /** Deletes everything but the rows to cache from the database. Call it only if there are any (`hasRows`). */
  finish(): Promise<void>;
  /** Whether there are rows to cache. */
  readonly hasRows: boolean;
}

/** Version of cached rows: 2 since values are preserved exactly, and keys of text files are texts. */
const format = 2;

interface CachedTable {
  readonly table: string;
  readonly loaded: LoadResult;
}

/** Opens the row cache of the previous import; @param tables that may be taken from it. */
export function openRowCacheStep(tables: readonly string[]): StatementsStep {
  return {
    name: 'kept',
    title: 'Cached rows of the previous import',
    statements: [
      { title: 'Their file', sql: attachSql(runValue) },
      { title: 'What it has', sql: listSql },
      ...tables.map((table) => ({
        title: `Instead of ${table}, where nothing has changed`,
        sql: takeSql(table, table),
      })),
    ],
  };
}

/** Asks the source which queries may return changed rows. */
export function unchangedStep(statements: readonly PlanStatement[]): StatementsStep {
  return { name: unchangedName, title: 'Whether anything has changed since the import before', statements };
}

export const unchangedName = 'unchanged';

/** Caches rows for the next import, if the source can detect changes. @param others tables that are not cached. */
export function keepRowsStep(tables: readonly string[], others: readonly string[]): StatementsStep {
  const unknown = { sourceRows: 0, columns: [], warnings: [] };
  return {
    name: rowCacheName,
    title: 'Rows are cached for the next import if the source can tell which are unchanged',
    statements: [
      { title: 'The cached rows of the previous import', sql: detachSql },
      { title: 'Tables', sql: tablesSql },
      ...others.map((table) => ({ title: 'Is not kept', sql: dropSql(table) })),
      { title: 'What is kept', sql: createSql },
      ...tables.map((table) => ({ title: table, sql: insertSql(runValue, table, unknown) })),
      { title: 'All is written', sql: 'CHECKPOINT' },
    ],
  };
}

export const rowCacheName = 'kept_rows';
const detachSql = 'DETACH DATABASE IF EXISTS kept';
const tablesSql =
  'SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary';
const createSql =
  'CREATE TABLE kept_rows (format INTEGER, key VARCHAR, "table" VARCHAR, source_rows BIGINT, columns VARCHAR, warnings VARCHAR)';
const listSql = `SELECT * FROM kept.main.kept_rows WHERE format = ${format}`;

function attachSql(path: string): string {
  return `ATTACH ${quoteLiteral(path, 'duckdb')} AS kept (READ_ONLY)`;
}

function takeSql(table: string, from: string): string {
  return `CREATE TABLE ${quoteIdentifier(table)} AS SELECT * FROM kept.main.${quoteIdentifier(from)}`;
}

function dropSql(table: string): string {
  return `DROP TABLE ${quoteIdentifier(table)}`;
}

/**
 * Opens the previous row cache, for an import whose rows are staged in `staging`, a separate database. A damaged cache
 * counts as missing.
 * @param file the row cache; undefined to ignore it.
 */
export async function openRowCache(staging: BuildDatabase, file: string | undefined): Promise<RowCache> {
  const known = file === undefined ? new Map<string, CachedTable>() : await attachCached(staging, file);
  const kept = new Map<string, CachedTable>();
  return {
    async take(key, table, signal) {
      const found = known.get(key);
      if (!found) return undefined;
      const name = quoteIdentifier(table);
      try {
        await staging.run(takeSql(table, found.table), { signal });
        const [count] = await staging.query(`SELECT count(*) AS rows FROM ${name}`);
        if (Number(count?.['rows']) !== found.loaded.sourceRows) throw new Error('Rows are missing.');
      } catch (error) {
        if (signal?.aborted) throw error;
        await staging.run(`DROP TABLE IF EXISTS ${name}`);
        return undefined;
      }
      kept.set(key, { table, loaded: found.loaded });
      return { ...found.loaded, isUnchanged: true };
    },
    keep: (key, table, loaded) => void kept.set(key, { table, loaded }),
    get hasRows() {
      return kept.size > 0;
    },
    async finish() {
      await staging.run(detachSql);
      const names = new Set([...kept.values()].map(({ table }) => table));
      for (const { name } of await staging.query(tablesSql)) {
        if (!names.has(String(name))) await staging.run(dropSql(String(name)));
      }
      await staging.run(createSql);
      for (const [key, { table, loaded }] of kept) await staging.run(insertSql(key, table, loaded));
      await staging.run('CHECKPOINT');
    },
  };
}

/**
 * A pull that asks the source for possibly changed rows only.
 * @param fingerprints of queries of which the source can tell.
 */
export function reusingPull(
  pull: Pull,
  rows: RowCache,
  identity: unknown,
  fingerprints: ReadonlyMap<CompiledQuery, string>,
): Pull {
  return {
    ...pull,
    async load(query, table, options) {
      const fingerprint = fingerprints.get(query);
      if (fingerprint === undefined) return pull.load(query, table, options);
      const key = createHash('sha256')
        .update(JSON.stringify([identity, query.sql, fingerprint]))
        .digest('hex');
      const known = await rows.take(key, table, options.signal);
      if (known) return known;
      const loaded = await pull.load(query, table, options);
      rows.keep(key, table, loaded);
      return loaded;
    },
  };
}

/** Puts the rows that an import has kept in the place of those of the import before. Rejects with the error of the file system. */
export async function publishRowCache(from: string | undefined, file: string): Promise<void> {
  if (from === undefined) return rm(file, { force: true });
  await makeFolder(dirname(file));
  await rename(from, file);
}

async function attachCached(staging: BuildDatabase, file: string): Promise<ReadonlyMap<string, CachedTable>> {
  // A name of its own: another process may be putting a newer file in the place of this one.
  const path = join(staging.temporaryFolder, 'kept.duckdb');
  try {
    await stat(file);
    await link(file, path).catch(() => copyFile(file, path));
  } catch {
    return new Map();
  }
  try {
    await staging.run(attachSql(path));
    const rows = await staging.query(listSql);
    return new Map(rows.map((row) => [String(row['key']), readCached(row)]));
  } catch {
    await staging.run(detachSql);
    return new Map();
  }
}

function readCached(row: Readonly<Record<string, unknown>>): CachedTable {
  const columns = JSON.parse(String(row['columns'])) as StagedColumn[];
  const warnings = JSON.parse(String(row['warnings'])) as string[];
  return { table: String(row['table']), loaded: { sourceRows: Number(row['source_rows']), columns, warnings } };
}

function insertSql(key: string, table: string, { sourceRows, columns, warnings }: LoadResult): string {
  const texts = [key, table].map((text) => quoteLiteral(text, 'duckdb')).join(', ');
  const json = [columns, warnings].map((value) => quoteLiteral(JSON.stringify(value), 'duckdb')).join(', ');
  return `INSERT INTO kept_rows VALUES (${format}, ${texts}, ${sourceRows}, ${json})`;
}
