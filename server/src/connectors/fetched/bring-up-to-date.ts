import type { ObjectRead } from '../../query/compiled-query.ts';
import { isDiskFull } from '../../files/file-error.ts';
import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { DuckDbError } from '../../store/duckdb-store.ts';
import { type FetchWork, fetchAll, optionsOf } from './fetch-all.ts';
import { type Comparison, type Verdict, compareTotals, haveEqualSums, keptTotals } from './kept-totals.ts';
import { createFetchedTable, type FetchedTable } from './fetched-table.ts';
import { type RecordCache, isFresh } from './record-cache.ts';
import type { ChangeReader, Changes, ReadOptions } from './record-source.ts';

export interface Update {
  readonly cache: RecordCache;
  readonly changes: ChangeReader;
  readonly read: ObjectRead;
  readonly table: FetchedTable;
}

/** Records come and go while changes are read: a count that does not agree gets a second chance. */
const rounds = 3;

/** `stale` where all has to be read; `other-sum` where it has because there are as many records, but probably not the same. */
export type Outcome = 'done' | 'stale' | 'other-sum';

/** Fills the table from what is kept and what changed since; it is empty where that is not all. */
export async function bringUpToDate(
  work: FetchWork,
  { cache, changes, read: needed, table }: Update,
): Promise<Outcome> {
  const { target, signal } = work;
  const kept = await cache.find();
  const key = needed.columns.find(({ primaryKey }) => primaryKey);
  if (!kept || !key || !isFresh(kept, changes)) return 'stale';
  // What left a window that moves with the time stays until all is read again: the query leaves it out.
  const read: ObjectRead = { ...needed, at: kept.at };
  try {
    await cache.load(kept, target, table.name);
  } catch (error) {
    // What is kept can be made anew: a damaged file is no reason to fail. What is read needs more room than that.
    signal?.throwIfAborted();
    if (isDiskFull(error) || (error instanceof DuckDbError && error.failure.kind === 'disk-full')) throw error;
    await table.empty();
    return 'stale';
  }
  const proof = changes.proof(read)?.name;
  let isAsKept = true;
  let sums = kept.sums;
  let verdict: Verdict | undefined;
  let before: Comparison | undefined;
  for (let round = 0, since = kept.mark; round < rounds; round += 1) {
    const found = await changes.since(read, since, optionsOf(work));
    verdict = undefined;
    if (!found) break;
    if (!found.isNone) {
      isAsKept = false;
      if (!(await applyChanges(work, { found, read, table }, key.name))) break;
    }
    let totals = await keptTotals(target, table.name, proof);
    const told = await changes.totals(read, proof !== undefined && sums !== 'too slow', optionsOf(work));
    if (!told) break;
    if (told.sum === 'too slow') sums = 'too slow';
    since = found.mark;
    if (told.count < totals.count) {
      const dropped = await dropGone(work, found, { table: table.name, key: key.name, rows: totals.count });
      if (dropped > 0) isAsKept = false;
      totals = await keptTotals(target, table.name, proof);
    }
    const comparison = { kept: totals, told };
    verdict = compareTotals(comparison, before);
    before = comparison;
    // Sums that were others even of what had just been read tell nothing.
    const isAll = verdict === 'same' || verdict === 'moving' || (verdict === 'other-sum' && sums === 'doubted');
    if (!isAll) continue;
    if (sums === 'doubted' && haveEqualSums(comparison)) sums = undefined;
    const { fullAt, at, file } = kept;
    const description = { mark: since, fullAt, at, ...(sums && { sums }) };
    if (isAsKept) await cache.renew({ ...description, file });
    else await cache.save(target, table.name, description);
    return 'done';
  }
  await table.empty();
  return verdict === 'other-sum' ? verdict : 'stale';
}

/** Whether the sum of a source is that of records that have just been read. */
export async function sumAgrees(
  work: FetchWork,
  { changes, read, table }: Pick<Update, 'changes' | 'read'> & { readonly table: string },
): Promise<boolean> {
  const told = await changes.totals(read, true, optionsOf(work));
  if (typeof told?.sum !== 'bigint') return false;
  return haveEqualSums({ told, kept: await keptTotals(work.target, table, changes.proof(read)?.name) });
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
