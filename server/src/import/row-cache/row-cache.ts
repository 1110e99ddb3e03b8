import { copyFile, link, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LoadResult } from '../../connectors/connector.ts';
import { dropCopy, keepRowGroupsSql, takeCopy } from '../../connectors/cached-copy.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { type BuildDatabase, openStore } from '../../store/duckdb-store.ts';
import { copyOf, copyRowCache } from './row-cache-copy.ts';
import {
  type CachedTable,
  type RowsOrigin,
  attachCacheSql,
  cacheDatabase,
  createListSql,
  describingTable,
  detachCacheSql,
  dropTableSql,
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
  copyOf(cached: CachedTable): string | undefined;
  /** Frees the room of the copy of a cached table that is not taken. */
  dropCopy(table: string): Promise<void>;
  /** Marks a completely staged table for the next row cache, with the origin of its rows. */
  keep(origin: RowsOrigin, table: string, loaded: LoadResult): void;
  /** Deletes everything but the rows to cache from the database. Call it only if there are any (`hasRows`). */
  finish(): Promise<void>;
  /** Staged rows began as a copy of the cached ones. */
  readonly hasCopies: boolean;
  /** Whether there are rows to cache. */
  readonly hasRows: boolean;
}

/**
 * Opens the previous row cache, for an import whose rows are staged in `staging`, a separate database. A damaged cache
 * counts as missing.
 * @param files the row cache, and further files of cached rows, of which the first that has a query counts
 * @param stagedRows the file of staged rows, which becomes a copy of the row cache; undefined to copy rows only
 */
export async function openRowCache(
  staging: BuildDatabase,
  files: readonly string[],
  stagedRows: string | undefined,
): Promise<RowCache> {
  const caches: AttachedCache[] = [];
  for (const [place, file] of files.entries())
    caches.push(await attachCached(staging, file, cacheDatabase(place), place === 0 ? stagedRows : undefined));
  const hasCopies = caches[0]?.hasCopies === true;
  const copied = new Set(hasCopies ? caches[0]?.tables : []);
  const names = new Set([...copied].map(({ table }) => table));
  // The first cache counts.
  const known = caches.flatMap(({ tables }) => tables).toReversed();
  const byQuery = new Map(known.map((each) => [each.query, each]));
  const byUnchanged = new Map(known.flatMap((each) => (each.unchanged === undefined ? [] : [[each.unchanged, each]])));
  const kept: Omit<CachedTable, 'database'>[] = [];
  return {
    ofQuery: (query) => byQuery.get(query),
    ofUnchanged: (unchanged) => byUnchanged.get(unchanged),
    copyOf: (cached) => (copied.has(cached) ? copyOf(cached.table) : undefined),
    async dropCopy(table) {
      if (names.has(table)) await dropCopy(staging, copyOf(table));
    },
    async take(found, table, signal) {
      const name = quoteIdentifier(table);
      try {
        let rows = copied.has(found) ? await takeCopy(staging, copyOf(found.table), table, { signal }) : undefined;
        if (rows === undefined) {
          await staging.run(takeRowsSql(table, found), { signal });
          const [count] = await staging.query(`SELECT count(*) AS rows FROM ${name}`);
          rows = Number(count?.['rows']);
        }
        if (rows !== found.loaded.sourceRows) throw new Error('Rows are missing.');
      } catch (error) {
        if (signal?.aborted) throw error;
        await staging.run(`DROP TABLE IF EXISTS ${name}`);
        return undefined;
      }
      return { ...found.loaded, isUnchanged: true };
    },
    keep: (origin, table, loaded) => void kept.push({ ...origin, table, loaded }),
    get hasRows() {
      return kept.length > 0;
    },
    hasCopies,
    async finish() {
      for (let place = 0; place < Math.max(1, files.length); place += 1)
        await staging.run(detachCacheSql(cacheDatabase(place)));
      const keptNames = new Set(kept.map(({ table }) => table));
      for (const { name } of await staging.query(listTablesSql)) {
        if (!keptNames.has(String(name))) await staging.run(dropTableSql(String(name)));
      }
      await staging.run(createListSql);
      for (const { table, loaded, ...origin } of kept) await staging.run(insertCachedSql(origin, table, loaded));
      await staging.run(keepRowGroupsSql);
      await staging.run('CHECKPOINT');
    },
  };
}

/**
 * The keys of the queries whose rows are in a row cache, each with the key that its unchanged rows have; empty if the
 * cache is missing or damaged.
 */
export async function cachedQueries(file: string): Promise<ReadonlyMap<string, unknown>> {
  try {
    const store = await openStore(file);
    const rows = await store.query(listQueriesSql).finally(() => store.close());
    return new Map(rows.map(({ query, unchanged }) => [String(query), unchanged]));
  } catch {
    return new Map();
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
  /** The staging database has copies of its tables. */
  readonly hasCopies: boolean;
}

const noCache: AttachedCache = { tables: [], hasCopies: false };

async function attachCached(
  staging: BuildDatabase,
  file: string,
  database: string,
  stagedRows: string | undefined,
): Promise<AttachedCache> {
  // Attaches a private link: another process may replace the file meanwhile.
  const path = join(staging.temporaryFolder, `${database}.duckdb`);
  try {
    await stat(file);
    await link(file, path).catch(() => copyFile(file, path));
  } catch {
    return noCache;
  }
  let tables: readonly CachedTable[];
  try {
    await staging.run(attachCacheSql(path, database));
    tables = (await staging.query(listCachedSql(database))).map((row) => readCached(database, row));
  } catch {
    await staging.run(detachCacheSql(database));
    return noCache;
  }
  const names = tables.map(({ table }) => table);
  const hasCopies =
    stagedRows !== undefined &&
    names.length > 0 &&
    (await copyRowCache(staging, path, stagedRows, names, describingTable));
  return { tables, hasCopies };
}
