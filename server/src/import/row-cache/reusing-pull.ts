import { createHash } from 'node:crypto';
import type { CachedRows, Pull } from '../../connectors/connector.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import { type CachedTable, type RowsOrigin, cachedName } from './row-cache-tables.ts';
import type { RowCache } from './row-cache.ts';

/** Key of a query. @param identity the data source, and everything else that decides how its rows are staged */
export function queryKey(identity: unknown, query: CompiledQuery): string {
  return hashOf([identity, ...readingOf(query)]);
}

/** Key of the rows of a query, if the source can tell changes. @param identity see `ReusingPullOptions` */
export function unchangedKey(identity: unknown, query: CompiledQuery, fingerprint: string): string {
  return hashOf([identity, ...readingOf(query), fingerprint]);
}

/** What decides the staged rows of a query: some connectors convert times in the zone of the entry when they stage them. */
function readingOf({ sql, zones }: CompiledQuery): readonly unknown[] {
  return zones === undefined ? [sql] : [sql, zones];
}

interface ReusingPullOptions {
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
      const unchanged = fingerprint === undefined ? undefined : unchangedKey(unchangedIdentity, asked, fingerprint);
      const origin: RowsOrigin = { query, readAt, unchanged };
      const found = unchanged === undefined || isFull ? undefined : rows.ofUnchanged(unchanged);
      // Marks of ordered rows contain places, so the connector has to copy these rows.
      const mayTake = !losesOrder || found?.loaded.marks === undefined;
      const known = found && mayTake ? await rows.take(found, table, options.signal) : undefined;
      const cached = isFull ? undefined : rows.ofQuery(query);
      const cachedRows = cachedRowsOf(cached, cached && rows.copyOf(cached));
      if (!known && !cachedRows) await rows.dropCopy(table);
      const loaded =
        known ?? (await pull.load(asked, table, { ...options, ...(cachedRows && { cached: cachedRows }) }));
      if (fingerprint !== undefined || keepsAll || loaded.marks !== undefined) rows.keep(origin, table, loaded);
      return loaded;
    },
  };
}

function cachedRowsOf(cached: CachedTable | undefined, copy: string | undefined): CachedRows | undefined {
  if (cached?.loaded.marks === undefined) return undefined;
  const { columns, marks } = cached.loaded;
  return { table: cachedName(cached), columns, marks, copy };
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
