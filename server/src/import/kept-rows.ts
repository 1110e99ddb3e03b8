import type { Pull } from '../connectors/connector.ts';
import { SourceError } from '../connectors/source-error.ts';
import { DataSourceFailure } from './data-source-failure.ts';
import { queryKey } from './row-cache/reusing-pull.ts';
import type { CachedTable } from './row-cache/row-cache-tables.ts';
import type { RowCache } from './row-cache/row-cache.ts';
import type { ImportSource } from './import-source.ts';
import type { PlannedPull } from './plan-import.ts';

/** Cached rows that replace a data source that cannot be reached. */
interface KeptRows {
  readonly pull: Pull;
  /** When the oldest of them was read; ISO 8601, UTC. */
  readonly readAt: string;
}

/**
 * Reads cached rows in place of a data source, of exactly the same queries
 * (docs/semantics.md#165-what-one-import-sees). Throws a `DataSourceFailure` if the rows of a query are missing: it
 * says why the source is down, with a remedy for missing rows.
 * @param identity see `queryKey`
 * @param losesOrder see `reusingPull`
 */
export function keptRows(
  down: SourceError,
  source: ImportSource,
  pulls: readonly PlannedPull[],
  rows: RowCache | undefined,
  identity: unknown,
  isOnlySource: boolean,
  losesOrder: boolean,
): KeptRows {
  const { name: dataSource } = source;
  const missing = (name: string): DataSourceFailure => nothingKept(down, source, name, isOnlySource);
  const found = new Map<string, CachedTable>();
  const names = new Map<string, string>();
  for (const { name, query } of pulls.filter((planned) => planned.dataSource === dataSource)) {
    const key = queryKey(identity, query);
    const cached = rows?.ofQuery(key);
    if (!cached) throw missing(name);
    names.set(key, name);
    found.set(key, cached);
  }
  const cachedOf = (key: string): CachedTable => {
    const cached = found.get(key);
    if (!cached) throw new Error('A query was not planned.');
    return cached;
  };
  const pull: Pull = {
    columnsOf: (query) => Promise.resolve(cachedOf(queryKey(identity, query)).loaded.columns),
    async load(query, table, { signal }) {
      const key = queryKey(identity, query);
      const cached = cachedOf(key);
      if (!(await rows?.take(cached, table, signal))) throw missing(names.get(key) ?? dataSource);
      const { marks: _, ...unmarked } = cached.loaded;
      // Marks of ordered rows contain places, which the copy may have changed.
      rows?.keep(cached, table, losesOrder ? unmarked : cached.loaded);
      // `rows.keep` gets no key for unchanged rows: an unreachable source cannot tell whether its rows have changed.
      return cached.loaded;
    },
    close: () => Promise.resolve(),
  };
  const [readAt = ''] = [...found.values()].map((cached) => cached.readAt).toSorted();
  return { pull, readAt };
}

function nothingKept(
  down: SourceError,
  { name: dataSource, keepsRows }: ImportSource,
  name: string,
  isOnlySource: boolean,
): DataSourceFailure {
  const none = `No rows of ${dataSource} were kept for "${name}" as it is now`;
  const remedy = !keepsRows
    ? `No rows of ${dataSource} are kept, because its setting incremental is false.`
    : isOnlySource
      ? `${none}: of the only data source of a graph, those are kept whose changes it can tell. Import when ${dataSource} can be reached.`
      : `${none}: import once when ${dataSource} can be reached.`;
  const reason = new SourceError(down.code, down.message, { ...down.details, remedy });
  return new DataSourceFailure(dataSource, reason, { isOneOfSeveral: !isOnlySource, lacksKeptRows: true });
}

/**
 * A part of the keys of cached rows: everything that decides which rows a data source has and how they are staged.
 * @param versions of the run
 */
export function cachedIdentity(
  { name, settings }: Pick<ImportSource, 'name' | 'settings'>,
  versions: Readonly<Record<string, string>>,
): unknown {
  const { node: _, ...others } = versions;
  return [others, name, settings];
}

/** The warning that the rows of a data source are older than the import. */
export function keptRowsWarning(dataSource: string, readAt: string, { message }: SourceError): string {
  const time = readAt.slice(0, 19).replace('T', ' ');
  return `The rows of ${dataSource} are those kept from ${time} UTC, because it cannot be reached: ${message}`;
}
