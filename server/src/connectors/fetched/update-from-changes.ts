import type { ObjectRead } from '../../query/compiled-query.ts';
import { isDiskFull } from '../../files/file-error.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { isDiskFull as isDatabaseFull } from '../../store/duckdb-store.ts';
import { type FetchWork, fetchAll, optionsOf } from './fetch-all.ts';
import { type FetchedTable, createFetchedTable } from './fetched-table.ts';
import { type RecordCache, isFresh } from './record-cache.ts';
import type { ChangeReader, Changes, ReadOptions, RecordTotals } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

export interface Update {
  readonly cache: RecordCache;
  readonly changes: ChangeReader;
  readonly read: ObjectRead;
  readonly table: FetchedTable;
}

/** Number of attempts, because records may change while changes are read. */
const rounds = 3;

/** `stale`: everything must be read; `other-sum`: because the count is equal but the sum differs. */
export type Outcome = 'done' | 'stale' | 'other-sum';

/** Loads the row cache and the changes since then; leaves the table empty when that is not sufficient. */
export async function updateFromChanges(
  work: FetchWork,
  { cache, changes, read: needed, table }: Update,
): Promise<Outcome> {
  const { target, signal } = work;
  const cached = await cache.find();
  const key = needed.columns.find(({ primaryKey }) => primaryKey);
  if (!cached || !key || !isFresh(cached, changes)) return 'stale';
  // Records that left a relative time window stay until the next full read; the query excludes them.
  const read: ObjectRead = { ...needed, at: cached.at };
  try {
    await cache.load(cached, target, table.name);
  } catch (error) {
    // A damaged cache file is not an error. Memory errors of changed records are.
    signal?.throwIfAborted();
    if (isDiskFull(error) || isDatabaseFull(error)) throw error;
    await table.empty();
    return 'stale';
  }
  const proof = changes.proof(read)?.name;
  let isUnchanged = true;
  let sums = cached.sums;
  let verdict: Verdict | undefined;
  let before: Comparison | undefined;
  for (let round = 0, since = cached.mark; round < rounds; round += 1) {
    const found = await changes.since(read, since, optionsOf(work));
    verdict = undefined;
    if (!found) break;
    if (!found.isNone) {
      isUnchanged = false;
      if (!(await applyChanges(work, { found, read, table }, key.name))) break;
    }
    let totals = await cachedTotals(target, table.name, proof);
    const reported = await changes.totals(read, proof !== undefined && sums !== 'too slow', optionsOf(work));
    if (!reported) break;
    if (reported.sum === 'too slow') sums = 'too slow';
    since = found.mark;
    if (reported.count < totals.count) {
      const dropped = await dropGone(work, found, { table: table.name, key: key.name, rows: totals.count });
      if (dropped > 0) isUnchanged = false;
      totals = await cachedTotals(target, table.name, proof);
    }
    const comparison = { cached: totals, reported };
    verdict = compareTotals(comparison, before);
    before = comparison;
    // Sums that differ even directly after a full read are useless.
    const isAll = verdict === 'same' || verdict === 'moving' || (verdict === 'other-sum' && sums === 'doubted');
    if (!isAll) continue;
    if (sums === 'doubted' && haveEqualSums(comparison)) sums = undefined;
    const { fullAt, at, file } = cached;
    const description = { mark: since, fullAt, at, sums };
    if (isUnchanged) await cache.renew({ ...description, file });
    else await cache.save(target, table.name, description);
    return 'done';
  }
  await table.empty();
  return verdict === 'other-sum' ? verdict : 'stale';
}

/** Whether the sum of a source matches the records just read. */
export async function sumAgrees(
  work: FetchWork,
  { changes, read, table }: Pick<Update, 'changes' | 'read'> & { readonly table: string },
): Promise<boolean> {
  const reported = await changes.totals(read, true, optionsOf(work));
  if (typeof reported?.sum !== 'bigint') return false;
  return haveEqualSums({ reported, cached: await cachedTotals(work.target, table, changes.proof(read)?.name) });
}

interface CachedTable {
  readonly table: string;
  /** Its key column. */
  readonly key: string;
  readonly rows: number;
}

/** Deletes records that the source reports as deleted; resolves to their number. */
async function dropGone(work: FetchWork, found: Changes, { table, key, rows }: CachedTable): Promise<number> {
  const { target, signal } = work;
  const from = `FROM temp.${quoteIdentifier(table)} WHERE ${quoteIdentifier(key)}`;
  const listOf = (keys: readonly string[]): string => keys.map((each) => embeddedLiteral(each)).join(', ');
  const these = async (keys: readonly string[]): Promise<readonly string[]> => {
    if (keys.length === 0) return [];
    const cached = await target.query(`SELECT ${quoteIdentifier(key)} AS key ${from} IN (${listOf(keys)})`);
    return cached.map((row) => String(row['key']));
  };
  let dropped = 0;
  for await (const keys of found.gone?.({ rows, these }, optionsOf(work)) ?? []) {
    signal?.throwIfAborted();
    if (keys.length > 0) await target.run(`DELETE ${from} IN (${listOf(keys)})`);
    dropped += keys.length;
  }
  return dropped;
}

/**
 * Resolves to whether all changed records arrived with all values; if not, nothing is applied, and the full read warns.
 */
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
    const listeners: Pick<ReadOptions, 'onWarning' | 'onUnreadable'> = {
      onWarning: (warning) => warnings.push(warning),
      onUnreadable: () => (isWhole = false),
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

/** Totals of a source at a moment, and of the cached records at that time. */
interface Comparison {
  readonly cached: RecordTotals;
  readonly reported: RecordTotals;
}

/**
 * Compares totals: equal, or `moving` when records changed between reading and counting. `other-sum` with equal counts:
 * some were deleted and others restored, or the source sums differently.
 */
type Verdict = 'same' | 'moving' | 'other-count' | 'other-sum';

/** @param before totals of the previous round: changes read since then are cached now */
function compareTotals({ cached, reported }: Comparison, before?: Comparison): Verdict {
  if (cached.count !== reported.count) return 'other-count';
  const [ours, theirs] = [cached.sum, reported.sum];
  if (typeof ours !== 'bigint' || typeof theirs !== 'bigint' || ours === theirs) return 'same';
  // The sum only grows with changes, so it lies between the sums before and after reading the changes.
  const [from, between] = [before?.cached.sum, before?.reported.sum];
  if (typeof from !== 'bigint' || typeof between !== 'bigint') return 'other-sum';
  return from <= between && between <= ours && from < ours ? 'moving' : 'other-sum';
}

/** Whether both sums are known and equal; `same` may also mean that one is unknown. */
function haveEqualSums({ cached, reported }: Comparison): boolean {
  return typeof reported.sum === 'bigint' && reported.sum === cached.sum;
}

/** Count and sum of the records in a table. The sum is absent if a record has no value in the proof column. */
async function cachedTotals(
  target: Pick<FetchTarget, 'query'>,
  table: string,
  proof: string | undefined,
): Promise<RecordTotals> {
  const column = proof === undefined ? 'CAST(NULL AS BIGINT)' : quoteIdentifier(proof);
  const [row] = await target.query(
    `SELECT count(*) AS rows, CASE WHEN count(${column}) = count(*) THEN CAST(sum(${column}) AS VARCHAR) END AS total FROM temp.${quoteIdentifier(table)}`,
  );
  const total = row?.['total'];
  return { count: Number(row?.['rows']), sum: typeof total === 'string' ? BigInt(total) : undefined };
}
