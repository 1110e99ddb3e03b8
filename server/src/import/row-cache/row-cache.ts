import { copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadResult } from '../../connectors/connector.ts';
import { dropCopy, keepRowGroupsSql, takeCopy } from '../../connectors/cached-copy.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { type BuildDatabase, openStore } from '../../store/duckdb-store.ts';
import { copyOf, copyRowCache } from './row-cache-copy.ts';
import {
  type CachedGraph,
  type CachedTable,
  type RowsOrigin,
  attachCacheSql,
  cachedGraphSql,
  cachedName,
  createCachedGraphSql,
  createListSql,
  describingTables,
  detachCacheSql,
  dropTableSql,
  hasCachedGraphSql,
  insertCachedSql,
  listCachedSql,
  listQueriesSql,
  listTablesSql,
  readCached,
  takeRowsSql,
} from './row-cache-tables.ts';

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

/** A table of cached rows beside the staged one of the same name. */
export interface RowsComparison {
  /** The cached table, as SQL. */
  readonly cached: string;
  readonly before: LoadResult;
  readonly now: LoadResult;
  /** All staged rows were taken from the cached table. */
  readonly isTaken: boolean;
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
          await staging.run(takeRowsSql(table, found.table), { signal });
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
      await staging.run(detachCacheSql);
      const names = new Set(kept.map(({ table }) => table));
      for (const { name } of await staging.query(listTablesSql)) {
        if (!names.has(String(name))) await staging.run(dropTableSql(String(name)));
      }
      await staging.run(createListSql);
      for (const { table, loaded, ...origin } of kept) await staging.run(insertCachedSql(origin, table, loaded));
      await staging.run(createCachedGraphSql(made));
      await staging.run(keepRowGroupsSql);
      await staging.run('CHECKPOINT');
    },
  };
}

/** The keys of the queries whose rows are in a row cache; empty if the cache is missing or damaged. */
export async function cachedQueries(file: string): Promise<ReadonlySet<string>> {
  try {
    const store = await openStore(file);
    const rows = await store.query(listQueriesSql).finally(() => store.close());
    return new Set(rows.map(({ query }) => String(query)));
  } catch {
    return new Set();
  }
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
    await staging.run(attachCacheSql(path));
    found = { tables: (await staging.query(listCachedSql)).map(readCached), graph: await readGraph(staging) };
  } catch {
    await staging.run(detachCacheSql);
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
  if ((await staging.query(hasCachedGraphSql)).length === 0) return undefined;
  const [row] = await staging.query(cachedGraphSql);
  return row && { run: String(row['run']), key: String(row['key']) };
}
