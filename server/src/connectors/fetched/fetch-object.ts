import { dirname, join } from 'node:path';
import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { createFetchedTable, type FetchedTable } from './fetched-table.ts';
import { fetchSteadily } from './steady-fetch.ts';
import { recordCache, type KeptRecords, type RecordCache } from './record-cache.ts';
import type {
  Cells,
  ChangeReader,
  Changes,
  JsonPage,
  JsonShape,
  PagesByPlace,
  ReadOptions,
  RecordSource,
} from './record-source.ts';
import type { FetchTarget } from './take-in.ts';

export interface FetchWork {
  readonly source: RecordSource;
  readonly target: FetchTarget;
  readonly signal: AbortSignal | undefined;
  readonly onWarning: (warning: string) => void;
  readonly onRows: ((rowsSoFar: number) => void) | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Where records may be kept from one import to the next. */
  readonly stateFolder: string | undefined;
  readonly since?: string | undefined;
  /** Reads all, and keeps it for the next import. */
  readonly isFull?: boolean | undefined;
}

/** Records that are in their table. */
export interface FetchedRecords {
  /** Whether they are all may still be asked of the source: rejects when they are not. They are kept for the next import then. */
  readonly complete: Promise<void>;
}

/**
 * Fetches all records of a read into its table. Sources that know what changed are asked for that only, and the rest is taken
 * from what the import before kept, as long as the count of the source bears it out. Records that are gone show there: the
 * source is asked which ones, and where it cannot tell, all is read.
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
  if (work.isFull !== true && (await bringUpToDate(work, { cache, changes, read, table: await table })))
    return { complete: Promise.resolve() };
  let isWhole = true;
  let mark: string | undefined;
  const listeners: Pick<ReadOptions, 'onLeftOut' | 'onMark'> = {
    onLeftOut: () => (isWhole = false),
    onMark: (found) => (mark = found),
  };
  const fetching = fetchAll(work, table, (options) => source.records(read, { ...options, ...listeners }), shape);
  const keep = async (): Promise<void> => {
    await fetching.done;
    // Rights that are given or taken leave no mark: what they hide is looked for in every import.
    if (!isWhole) await cache.forget();
    else if (mark !== undefined)
      await cache.save(target, (await table).name, { mark, fullAt: Date.now(), at: read.at ?? 0 });
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
    ...{ target, table, read, areJoined, onWarning, onProgress },
    fetch: (listeners) =>
      fetchAll(work, Promise.resolve(table), (options) => source.records(read, { ...options, ...listeners })).done,
  });
}

async function inTable({ arrived, done }: Fetching): Promise<FetchedRecords> {
  // Whoever waits for it waits for the table first.
  done.catch(() => undefined);
  await arrived;
  return { complete: done };
}

/** Where records of a read are kept. */
export function cacheOf(
  { name }: Pick<RecordSource, 'name'>,
  { identity }: ChangeReader,
  read: ObjectRead,
  stateFolder: string,
): RecordCache {
  const folder = join(stateFolder, 'records', encodeURIComponent(name));
  return recordCache({ folder, within: dirname(stateFolder) }, identity, read);
}

/** Whether not so long ago all was read that all has to be read again. A time to come is that of a clock that has been set back since. */
export function isFresh({ fullAt, at }: KeptRecords, { fullEveryMs }: ChangeReader, now = Date.now()): boolean {
  return now - fullAt <= fullEveryMs && now >= Math.max(fullAt, at);
}

interface Update {
  readonly cache: RecordCache;
  readonly changes: ChangeReader;
  readonly read: ObjectRead;
  readonly table: FetchedTable;
}

/** Records come and go while changes are read: a count that does not agree gets a second chance. */
const rounds = 3;

/** Fills the table from what is kept and what changed since; resolves to whether that is all, else the table is empty. */
async function bringUpToDate(work: FetchWork, { cache, changes, read: needed, table }: Update): Promise<boolean> {
  const { target, signal } = work;
  const kept = await cache.find();
  const key = needed.columns.find(({ primaryKey }) => primaryKey);
  if (!kept || !key || !isFresh(kept, changes)) return false;
  // What left a window that moves with the time stays until all is read again: the query leaves it out.
  const read: ObjectRead = { ...needed, at: kept.at };
  try {
    await cache.load(kept, target, table.name);
  } catch {
    // What is kept can be made anew: a damaged file is no reason to fail.
    signal?.throwIfAborted();
    await table.empty();
    return false;
  }
  let isAsKept = true;
  for (let round = 0, since = kept.mark; round < rounds; round += 1) {
    const found = await changes.since(read, since, optionsOf(work));
    if (!found) break;
    if (!found.isNone) {
      isAsKept = false;
      if (!(await applyChanges(work, { found, read, table }, key.name))) break;
    }
    const [counted] = await target.query(`SELECT count(*) AS rows FROM temp.${quoteIdentifier(table.name)}`);
    const rows = Number(counted?.['rows']);
    const expected = await changes.count(read, optionsOf(work));
    if (expected === undefined) break;
    since = found.mark;
    const dropped = expected < rows ? await dropGone(work, found, { table: table.name, key: key.name, rows }) : 0;
    if (dropped > 0) isAsKept = false;
    if (expected !== rows - dropped) continue;
    const { fullAt, at } = kept;
    if (isAsKept) await cache.renew({ ...kept, mark: since });
    else await cache.save(target, table.name, { mark: since, fullAt, at });
    return true;
  }
  await table.empty();
  return false;
}

interface KeptTable {
  readonly table: string;
  /** Its key column. */
  readonly key: string;
  readonly rows: number;
}

/** Removes the records that the source proves to be gone; resolves to how many. */
async function dropGone(work: FetchWork, found: Changes, { table, key, rows }: KeptTable): Promise<number> {
  const { target, signal } = work;
  const from = `FROM temp.${quoteIdentifier(table)} WHERE ${quoteIdentifier(key)}`;
  const listOf = (keys: readonly string[]): string => keys.map((each) => quoteLiteral(each, 'duckdb')).join(', ');
  const these = async (keys: readonly string[]): Promise<readonly string[]> => {
    if (keys.length === 0) return [];
    const kept = await target.query(`SELECT ${quoteIdentifier(key)} AS key ${from} IN (${listOf(keys)})`);
    return kept.map((row) => String(row['key']));
  };
  let dropped = 0;
  for await (const keys of found.gone?.({ rows, these }, optionsOf(work)) ?? []) {
    signal?.throwIfAborted();
    if (keys.length > 0) await target.run(`DELETE ${from} IN (${listOf(keys)})`);
    dropped += keys.length;
  }
  return dropped;
}

/** Resolves to whether the changed records came with all their values; if not, nothing is applied: reading all warns of it. */
async function applyChanges(
  work: FetchWork,
  { found, read, table }: Pick<Update, 'read' | 'table'> & { readonly found: Changes },
  key: string,
): Promise<boolean> {
  const { target, signal } = work;
  let isWhole = true;
  const [to, keyName] = [`temp.${quoteIdentifier(table.name)}`, quoteIdentifier(key)];
  const columns = read.columns.filter(({ name }) => name === key);
  const outdated = await createFetchedTable(target, `${table.name} outdated`, { ...read, columns });
  const fresh = await createFetchedTable(target, `${table.name} fresh`, read);
  try {
    for await (const keys of found.keys(optionsOf(work))) {
      await outdated.add(
        keys.map((each) => [each]),
        signal,
      );
    }
    await outdated.flush(signal);
    const warnings: string[] = [];
    const listeners: Pick<ReadOptions, 'onWarning' | 'onLeftOut'> = {
      onWarning: (warning) => warnings.push(warning),
      onLeftOut: () => (isWhole = false),
    };
    await fetchAll({ ...work, onRows: undefined }, Promise.resolve(fresh), (options) =>
      found.records({ ...options, ...listeners }),
    ).done;
    if (!isWhole) return false;
    warnings.forEach(work.onWarning);
    for (const { name } of [outdated, fresh]) {
      await target.run(`DELETE FROM ${to} WHERE ${keyName} IN (SELECT ${keyName} FROM temp.${quoteIdentifier(name)})`);
    }
    await target.run(`INSERT INTO ${to} SELECT * FROM temp.${quoteIdentifier(fresh.name)}`);
    return true;
  } finally {
    await outdated.discard().catch(() => undefined);
    await fresh.discard().catch(() => undefined);
  }
}

interface Fetching {
  /** All records are in the table. */
  readonly arrived: Promise<void>;
  /** The source has nothing to say any more. */
  readonly done: Promise<void>;
}

/** The source is asked before the table is there. */
function fetchAll(
  work: FetchWork,
  table: Promise<FetchedTable>,
  read: (options: ReadOptions) => AsyncIterable<readonly Cells[]>,
  shape?: JsonShape,
): Fetching {
  const { signal, onRows } = work;
  let rows = 0;
  const takeJson = async (page: JsonPage): Promise<void> => {
    if (shape) await (await table).addJson(page, shape, signal);
    onRows?.((rows += page.records));
  };
  let onLast: (flushed: Promise<void>) => void = () => undefined;
  const last = new Promise<void>((resolve) => (onLast = resolve));
  const fetch = async (): Promise<void> => {
    const flush = async (): Promise<void> => (await table).flush(signal);
    const options = { ...optionsOf(work), ...(shape && { takeJson }), onLast: () => onLast(flush()) };
    for await (const batch of read(options)) {
      signal?.throwIfAborted();
      await (await table).add(batch, signal);
      onRows?.((rows += batch.length));
    }
    await flush();
  };
  const done = fetch();
  const arrived = Promise.race([last, done]);
  // Some wait for the end alone, which rejects as well.
  arrived.catch(() => undefined);
  return { arrived, done };
}

function optionsOf({ signal, since, onWarning, onProgress }: FetchWork): ReadOptions {
  return {
    purpose: 'import',
    onWarning,
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
    ...(since !== undefined && { since }),
  };
}
