import type { Pull } from '../connectors/connector.ts';
import { SourceError } from '../connectors/source-error.ts';
import { type CachedTable, type RowCache, queryKey } from './row-cache.ts';
import type { PlannedPull } from './plan-import.ts';

/** The rows that earlier imports kept of a data source that cannot be reached. */
export interface KeptRows {
  readonly pull: Pull;
  /** When the oldest of them was read; ISO 8601, UTC. */
  readonly readAt: string;
}

/**
 * Reads cached rows in place of a data source, of exactly the same queries (docs/semantics.md#165-what-one-import-sees).
 * Throws the reason why the source is down, with another remedy, when those of a query are missing.
 * @param identity see `queryKey`
 */
export function keptRows(
  down: SourceError,
  dataSource: string,
  pulls: readonly PlannedPull[],
  rows: RowCache | undefined,
  identity: unknown,
): KeptRows {
  const found = new Map<string, CachedTable>();
  for (const { name, query } of pulls.filter((planned) => planned.dataSource === dataSource)) {
    const key = queryKey(identity, query);
    const cached = rows?.ofQuery(key);
    if (!cached) throw nothingKept(down, dataSource, name);
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
      const cached = cachedOf(queryKey(identity, query));
      const loaded = await rows?.take(cached, table, signal);
      if (!loaded) throw nothingKept(down, dataSource, table);
      rows?.keep(cached, table, cached.loaded);
      return loaded;
    },
    close: () => Promise.resolve(),
  };
  const [readAt = ''] = [...found.values()].map((cached) => cached.readAt).toSorted();
  return { pull, readAt };
}

function nothingKept(down: SourceError, dataSource: string, name: string): SourceError {
  return new SourceError(down.code, down.message, {
    ...down.details,
    remedy: `No rows of ${dataSource} were kept for "${name}" as it is now: import once when ${dataSource} can be reached.`,
  });
}

/** Tells whose rows are older than the import. */
export function keptRowsWarning(dataSource: string, readAt: string, { message }: SourceError): string {
  const time = readAt.slice(0, 19).replace('T', ' ');
  return `The rows of ${dataSource} are those kept of ${time} UTC, because it cannot be reached: ${message}`;
}
