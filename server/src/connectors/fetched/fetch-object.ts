import { dirname, join } from 'node:path';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { updateFromChanges, sumAgrees } from './update-from-changes.ts';
import { type FetchWork, type Fetching, fetchAll } from './fetch-all.ts';
import type { FetchedTable } from './fetched-table.ts';
import { type RecordCache, recordCache } from './record-cache.ts';
import type { ChangeReader, PagesByPlace, ReadOptions, RecordSource } from './record-source.ts';
import { fetchSteadily } from './stable-fetch.ts';

/** Records in their table. */
export interface FetchedRecords {
  /**
   * Resolves when the source has confirmed completeness, and rejects when records are missing. Then the row cache is
   * updated.
   */
  readonly complete: Promise<void>;
}

/**
 * Fetches all records of a read into its table. If the source supports changes, only these are read, and the others
 * come from the row cache, as long as the source's count confirms the result. Otherwise the source is asked for deleted
 * records, and if that fails, everything is read.
 */
export async function fetchObject(
  work: FetchWork,
  table: Promise<FetchedTable>,
  needed: ObjectRead,
): Promise<FetchedRecords> {
  const { source, target, stateFolder } = work;
  const { changes } = source;
  const read: ObjectRead = { ...needed, at: Date.now() };
  const shape = source.jsonShape?.(read);
  const byPlace = await source.pagesByPlace?.(read);
  if (byPlace) {
    await fetchByPlace(work, await table, read, byPlace);
    return { complete: Promise.resolve() };
  }
  if (!changes || stateFolder === undefined || !changes.tells(read)) {
    return inTable(fetchAll(work, table, (options) => source.records(read, options), shape));
  }
  const cache = cacheOf(source, changes, read, stateFolder);
  const outcome =
    work.isFull === true ? 'stale' : await updateFromChanges(work, { cache, changes, read, table: await table });
  if (outcome === 'done') return { complete: Promise.resolve() };
  let isWhole = true;
  let mark: string | undefined;
  const listeners: Pick<ReadOptions, 'onUnreadable' | 'onMark'> = {
    onUnreadable: () => (isWhole = false),
    onMark: (found) => (mark = found),
  };
  const fetching = fetchAll(work, table, (options) => source.records(read, { ...options, ...listeners }), shape);
  const keep = async (): Promise<void> => {
    await fetching.done;
    // Changed permissions do not update records, so hidden records are checked in every import.
    if (!isWhole) await cache.forget();
    else if (mark !== undefined) {
      const { name } = await table;
      const isDoubted = outcome === 'other-sum' && !(await sumAgrees(work, { changes, read, table: name }));
      const description = { mark, fullAt: Date.now(), at: read.at ?? 0 };
      await cache.save(target, name, { ...description, sums: isDoubted ? 'doubted' : undefined });
    }
  };
  return inTable({ ...fetching, done: keep() });
}

async function fetchByPlace(
  work: FetchWork,
  table: FetchedTable,
  read: ObjectRead,
  { areJoined }: PagesByPlace,
): Promise<void> {
  const { source, target, onWarning, onProgress } = work;
  await fetchSteadily({
    target,
    table,
    read,
    areJoined,
    onWarning,
    onProgress,
    fetch: (listeners) =>
      fetchAll(work, Promise.resolve(table), (options) => source.records(read, { ...options, ...listeners })).done,
  });
}

async function inTable({ arrived, done }: Fetching): Promise<FetchedRecords> {
  // Awaiting the end implies awaiting the table.
  done.catch(() => undefined);
  await arrived;
  return { complete: done };
}

/** Cache location of a read. */
export function cacheOf(
  { name }: Pick<RecordSource, 'name'>,
  { identity }: ChangeReader,
  read: ObjectRead,
  stateFolder: string,
): RecordCache {
  const folder = join(stateFolder, 'records', encodeURIComponent(name));
  return recordCache({ folder, within: dirname(stateFolder) }, identity, read);
}
