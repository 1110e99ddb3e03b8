import { createHash } from 'node:crypto';
import { copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import type { KeptTable, LoadResult, Pull, StagedColumn } from '../connectors/connector.ts';
import {
  dropCopy,
  dropCopySql,
  keepRowGroupsSql,
  readRowsSql,
  renameCopySql,
  takeCopy,
} from '../connectors/kept-copy.ts';
import type { CompiledQuery, PlanStatement } from '../query/compiled-query.ts';
import { quoteIdentifier, quoteLiteral } from '../query/quote.ts';
import { type BuildDatabase, openStore } from '../store/duckdb-store.ts';
import { type StatementsStep, runValue } from './build/plan-statement.ts';
import { blocksOfCacheSql, copyOf, copyRowCache, copyRowCacheSql } from './row-cache-copy.ts';

/** Rows of earlier imports, which need not be pulled again if unchanged. */
export interface RowCache {
  /** The cached rows of a query, however old. @param query its key (`queryKey`) */
  ofQuery(query: string): CachedTable | undefined;
  /** The cached rows of a query, if they cannot have changed. @param unchanged key with the fingerprint */
  ofUnchanged(unchanged: string): CachedTable | undefined;
  /** Creates a table from cached rows; undefined if they are damaged. */
  take(found: CachedTable, table: string, signal: AbortSignal | undefined): Promise<LoadResult | undefined>;
  /** The copy of a cached table in the staging database, until it is taken. */
  copyOf(table: string): string | undefined;
  /** Frees the room of the copy of a cached table that is not taken. */
  dropCopy(table: string): Promise<void>;
  /** Marks a completely staged table for the next row cache, with the origin of its rows. */
  keep(origin: RowsOrigin, table: string, loaded: LoadResult): void;
  /** The cached table and the staged table of this name, for a comparison. Undefined if either is missing. */
  comparisonOf(table: string): RowsComparison | undefined;
  /** The graph that the cached rows were built into; undefined if unknown. */
  readonly graph: CachedGraph | undefined;
  /**
   * Deletes everything but the rows to cache from the database. Call it only if there are any (`hasRows`).
   * @param graph the graph that was built from these rows
   */
  finish(graph: CachedGraph): Promise<void>;
  /** Staged rows began as a copy of the cached ones. */
  readonly hasCopies: boolean;
  /** Whether there are rows to cache. */
  readonly hasRows: boolean;
  /** Whether there is a file of the previous import, even if it is damaged. */
  readonly hasFile: boolean;
}

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
  readonly loaded: LoadResult;
}

/** The graph that cached rows were built into. */
export interface CachedGraph {
  /** Id of the import. */
  readonly run: string;
  /** See `graphKey`. */
  readonly key: string;
}

/** A table of cached rows beside the staged one of the same name. */
export interface RowsComparison {
  /** The cached table, as SQL. */
  readonly cached: string;
  readonly before: LoadResult;
  readonly now: LoadResult;
  /** All staged rows were taken from the cached table. */
  readonly isTaken: boolean;
}

/** Opens the row cache of the previous import. @param tables the tables that may be taken from it */
export function openRowCacheStep(tables: readonly string[]): StatementsStep {
  return {
    name: 'kept',
    title: 'Cached rows of the previous import',
    statements: [
      { title: 'Their file', sql: attachSql(runValue) },
      { title: 'What it has', sql: listSql },
      { title: 'Whether it names the graph of its rows', sql: hasGraphSql },
      { title: 'The graph of its rows', sql: graphSql },
      { title: 'Whether most of it is free', sql: blocksOfCacheSql },
      ...copyRowCacheSql(tables, describingTables).map((sql) => ({ title: 'A copy of it for staged rows', sql })),
      ...tables.flatMap((table) => [
        { title: `Instead of ${table}, where nothing has changed`, sql: renameCopySql(copyOf(table), table) },
        { title: 'Whether all of it can be read', sql: readRowsSql(table) },
        { title: 'If the copy is gone', sql: takeSql(table, table) },
        ...dropCopySql(copyOf(table)).map((sql) => ({ title: `Where ${table} has changed`, sql })),
      ]),
    ],
  };
}

/** Asks the source which queries may return changed rows. */
export function unchangedStep(statements: readonly PlanStatement[]): StatementsStep {
  return { name: unchangedName, title: 'Whether anything has changed since the import before', statements };
}

export const unchangedName = 'unchanged';

/** Caches rows for the next import. @param others tables that are not cached. */
export function keepRowsStep(tables: readonly string[], others: readonly string[]): StatementsStep {
  const unknown = { sourceRows: 0, columns: [], warnings: [] };
  return {
    name: rowCacheName,
    title:
      'Rows are cached for the next import: those whose changes the source can tell, and all of several data sources',
    statements: [
      { title: 'The cached rows of the previous import', sql: detachSql },
      { title: 'Tables', sql: tablesSql },
      ...others.map((table) => ({ title: 'Is not kept', sql: dropSql(table) })),
      { title: 'What is kept', sql: createSql },
      ...tables.map((table) => ({
        title: table,
        sql: insertSql({ query: runValue, unchanged: runValue, readAt: runValue }, table, unknown),
      })),
      { title: 'The graph of these rows', sql: createGraphSql({ run: runValue, key: runValue }) },
      { title: 'Rows stay as they were written', sql: keepRowGroupsSql },
      { title: 'All is written', sql: 'CHECKPOINT' },
    ],
  };
}

export const rowCacheName = 'kept_rows';
const detachSql = 'DETACH DATABASE IF EXISTS kept';
const tablesSql =
  'SELECT table_name AS name FROM duckdb_tables() WHERE database_name = current_database() AND NOT temporary';
const createSql =
  'CREATE TABLE kept_rows (format INTEGER, query VARCHAR, unchanged VARCHAR, read_at VARCHAR, "table" VARCHAR, source_rows BIGINT, columns VARCHAR, warnings VARCHAR, marks VARCHAR)';
/** The tables that describe cached ones. */
const describingTables = ['kept_rows', 'kept_graph'];
/** Caches of earlier versions have no such table. */
const hasGraphSql = "SELECT 1 FROM duckdb_tables() WHERE database_name = 'kept' AND table_name = 'kept_graph'";
const graphSql = 'SELECT run, key FROM kept.main.kept_graph';

function createGraphSql({ run, key }: CachedGraph): string {
  return `CREATE TABLE kept_graph AS SELECT ${textOrNull(run)} AS run, ${textOrNull(key)} AS key`;
}

const listSql = `SELECT * FROM kept.main.kept_rows WHERE format = ${format}`;

function attachSql(path: string): string {
  return `ATTACH ${quoteLiteral(path, 'duckdb')} AS kept (READ_ONLY)`;
}

function takeSql(table: string, from: string): string {
  return `CREATE TABLE ${quoteIdentifier(table)} AS SELECT * FROM ${cachedName(from)}`;
}

/** The SQL name of a cached table. */
export function cachedName(table: string): string {
  return `kept.main.${quoteIdentifier(table)}`;
}

function dropSql(table: string): string {
  return `DROP TABLE ${quoteIdentifier(table)}`;
}

/**
 * Opens the previous row cache, for an import whose rows are staged in `staging`, a separate database. A damaged cache
 * counts as missing.
 * @param file the row cache; undefined to ignore it.
 * @param stagedRows the file of staged rows, which becomes a copy of the row cache; undefined to copy rows only
 */
export async function openRowCache(
  staging: BuildDatabase,
  file: string | undefined,
  stagedRows: string | undefined,
): Promise<RowCache> {
  const {
    tables: known,
    graph,
    hasCopies,
  } = file === undefined ? noCache : await attachCached(staging, file, stagedRows);
  const byTable = new Map(known.map((each) => [each.table, each]));
  /** The cached tables that staged ones were taken from. */
  const taken = new Map<string, string>();
  const byQuery = new Map(known.map((each) => [each.query, each]));
  const byUnchanged = new Map(known.flatMap((each) => (each.unchanged === undefined ? [] : [[each.unchanged, each]])));
  const kept: CachedTable[] = [];
  return {
    ofQuery: (query) => byQuery.get(query),
    ofUnchanged: (unchanged) => byUnchanged.get(unchanged),
    copyOf: (table) => (hasCopies ? copyOf(table) : undefined),
    async dropCopy(table) {
      if (hasCopies && byTable.has(table)) await dropCopy(staging, copyOf(table));
    },
    async take(found, table, signal) {
      const name = quoteIdentifier(table);
      try {
        let rows = hasCopies ? await takeCopy(staging, copyOf(found.table), table, { signal }) : undefined;
        if (rows === undefined) {
          await staging.run(takeSql(table, found.table), { signal });
          const [count] = await staging.query(`SELECT count(*) AS rows FROM ${name}`);
          rows = Number(count?.['rows']);
        }
        if (rows !== found.loaded.sourceRows) throw new Error('Rows are missing.');
      } catch (error) {
        if (signal?.aborted) throw error;
        await staging.run(`DROP TABLE IF EXISTS ${name}`);
        return undefined;
      }
      taken.set(table, found.table);
      return { ...found.loaded, isUnchanged: true };
    },
    keep: (origin, table, loaded) => void kept.push({ ...origin, table, loaded }),
    get hasRows() {
      return kept.length > 0;
    },
    comparisonOf(table) {
      const [before, now] = [byTable.get(table), kept.find((each) => each.table === table)];
      if (!before || !now) return undefined;
      const isTaken = taken.get(table) === table;
      return { cached: cachedName(table), before: before.loaded, now: now.loaded, isTaken };
    },
    graph,
    hasCopies,
    hasFile: file !== undefined,
    async finish(made) {
      await staging.run(detachSql);
      const names = new Set(kept.map(({ table }) => table));
      for (const { name } of await staging.query(tablesSql)) {
        if (!names.has(String(name))) await staging.run(dropSql(String(name)));
      }
      await staging.run(createSql);
      for (const { table, loaded, ...origin } of kept) await staging.run(insertSql(origin, table, loaded));
      await staging.run(createGraphSql(made));
      await staging.run(keepRowGroupsSql);
      await staging.run('CHECKPOINT');
    },
  };
}

/** The keys of the queries whose rows are in a row cache; empty if the cache is missing or damaged. */
export async function cachedQueries(file: string): Promise<ReadonlySet<string>> {
  try {
    const store = await openStore(file);
    const rows = await store.query(`SELECT query FROM kept_rows WHERE format = ${format}`).finally(() => store.close());
    return new Set(rows.map(({ query }) => String(query)));
  } catch {
    return new Set();
  }
}

/** Key of a query. @param identity the data source, and everything else that decides how its rows are staged */
export function queryKey(identity: unknown, { sql }: CompiledQuery): string {
  return hashOf([identity, sql]);
}

export interface ReusingPullOptions {
  readonly rows: RowCache;
  /** See `queryKey`. */
  readonly identity: unknown;
  /** The part of `identity` that matters when a fingerprint proves that rows are unchanged. */
  readonly unchangedIdentity: unknown;
  /** For queries whose changes the source can detect. */
  readonly fingerprints: ReadonlyMap<CompiledQuery, string>;
  /** When the snapshot of the pull was opened; ISO 8601, UTC. */
  readonly readAt: string;
  /** Whether to read all rows, whatever is cached. */
  readonly isFull: boolean;
  /** Whether to cache rows without a fingerprint too, to use them when the source is down. */
  readonly keepsAll: boolean;
  /** The source keeps the order of rows, but the build does not: copying rows may change their places. */
  readonly losesOrder: boolean;
}

/** A pull that asks the source for possibly changed rows only. */
export function reusingPull(
  pull: Pull,
  { rows, identity, unchangedIdentity, fingerprints, readAt, isFull, keepsAll, losesOrder }: ReusingPullOptions,
): Pull {
  return {
    ...pull,
    async load(asked, table, options) {
      const fingerprint = fingerprints.get(asked);
      const query = queryKey(identity, asked);
      const unchanged = fingerprint === undefined ? undefined : hashOf([unchangedIdentity, asked.sql, fingerprint]);
      const origin: RowsOrigin = { query, readAt, unchanged };
      const found = unchanged === undefined || isFull ? undefined : rows.ofUnchanged(unchanged);
      // Marks of ordered rows contain places, so the connector has to copy these rows.
      const mayTake = !losesOrder || found?.loaded.marks === undefined;
      const known = found && mayTake ? await rows.take(found, table, options.signal) : undefined;
      const cached = isFull ? undefined : rows.ofQuery(query);
      const kept = keptTable(cached, cached && rows.copyOf(cached.table));
      if (!known && !kept) await rows.dropCopy(table);
      const loaded =
        known ?? inPlace(await pull.load(asked, table, { ...options, ...(kept && { kept }) }), cached, table);
      if (fingerprint !== undefined || keepsAll || loaded.marks !== undefined) rows.keep(origin, table, loaded);
      return loaded;
    },
  };
}

/** Removes the facts about unchanged rows unless the cached table has the name of the staged one. */
function inPlace(loaded: LoadResult, cached: CachedTable | undefined, table: string): LoadResult {
  if (cached?.table === table) return loaded;
  const { otherRows: _, otherKey: __, ...others } = loaded;
  return others;
}

function keptTable(cached: CachedTable | undefined, copy: string | undefined): KeptTable | undefined {
  if (cached?.loaded.marks === undefined) return undefined;
  const { columns, marks } = cached.loaded;
  return { table: cachedName(cached.table), columns, marks, copy };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

/** Replaces the row cache of the previous import. Rejects with the file system error. */
export async function publishRowCache(from: string | undefined, file: string): Promise<void> {
  if (from === undefined) return rm(file, { force: true });
  await makeFolder(dirname(file));
  await rename(from, file);
}

interface AttachedCache {
  readonly tables: readonly CachedTable[];
  readonly graph: CachedGraph | undefined;
  /** The staging database has copies of its tables. */
  readonly hasCopies: boolean;
}

const noCache: AttachedCache = { tables: [], graph: undefined, hasCopies: false };

async function attachCached(
  staging: BuildDatabase,
  file: string,
  stagedRows: string | undefined,
): Promise<AttachedCache> {
  // Attaches a private link: another process may replace the file meanwhile.
  const path = join(staging.temporaryFolder, 'kept.duckdb');
  try {
    await stat(file);
    await link(file, path).catch(() => copyFile(file, path));
  } catch {
    return noCache;
  }
  let found: Omit<AttachedCache, 'hasCopies'>;
  try {
    await staging.run(attachSql(path));
    found = { tables: (await staging.query(listSql)).map(readCached), graph: await readGraph(staging) };
  } catch {
    await staging.run(detachSql);
    return noCache;
  }
  const names = found.tables.map(({ table }) => table);
  const hasCopies =
    stagedRows !== undefined &&
    names.length > 0 &&
    (await copyRowCache(staging, path, stagedRows, names, describingTables));
  return { ...found, hasCopies };
}

async function readGraph(staging: BuildDatabase): Promise<CachedGraph | undefined> {
  if ((await staging.query(hasGraphSql)).length === 0) return undefined;
  const [row] = await staging.query(graphSql);
  return row && { run: String(row['run']), key: String(row['key']) };
}

function readCached(row: Readonly<Record<string, unknown>>): CachedTable {
  const columns = JSON.parse(String(row['columns'])) as StagedColumn[];
  const warnings = JSON.parse(String(row['warnings'])) as string[];
  const { unchanged, marks } = row;
  return {
    query: String(row['query']),
    unchanged: typeof unchanged === 'string' ? unchanged : undefined,
    readAt: String(row['read_at']),
    table: String(row['table']),
    loaded: {
      sourceRows: Number(row['source_rows']),
      columns,
      warnings,
      marks: typeof marks === 'string' ? marks : undefined,
    },
  };
}

function insertSql(
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
  return text === undefined ? 'NULL' : quoteLiteral(text, 'duckdb');
}
