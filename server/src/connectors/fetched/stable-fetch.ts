import type { ObjectRead } from '../../query/compiled-query.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { SourceError } from '../source-error.ts';
import type { FetchedTable } from './fetched-table.ts';
import { ListShift } from './list-shift.ts';
import type { ReadOptions } from './record-source.ts';
import type { FetchTarget } from './load-segment.ts';

/** Maximum number of attempts to read a changing list. */
const attempts = 4;

interface StableFetch {
  readonly target: FetchTarget;
  readonly table: FetchedTable;
  readonly read: ObjectRead;
  /** Overlapping pages prove consistency, even if the list changed at its end. */
  readonly areJoined: boolean;
  readonly onWarning: (warning: string) => void;
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Reads the whole list into the table. */
  readonly fetch: (listeners: Pick<ReadOptions, 'onTotal'>) => Promise<void>;
}

/** Result of one attempt. */
interface Reading {
  /** Totals announced by the pages, if they differ. */
  readonly totals: readonly number[];
  readonly rows: number;
  /** Number of distinct keys; number of rows without a key. */
  readonly keys: number;
}

/**
 * Reads a list with offset-like pagination until it is stable, decided by announced totals, duplicate keys and
 * inconsistent pages. Of a duplicate record the last version is kept. Rejects with `source-incomplete` when the list
 * changes on every attempt, and when the service repeatedly announces more records than it sends.
 */
export async function fetchSteadily(work: StableFetch): Promise<void> {
  const { table, read, onProgress } = work;
  const key = keyOfRead(read);
  let before: Reading | undefined;
  for (let attempt = 1; ; attempt += 1) {
    const totals: number[] = [];
    const onTotal = (total: number): void => {
      if (totals.at(-1) !== total) totals.push(total);
    };
    const joined = await work.fetch({ onTotal }).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof ListShift) return error;
        throw error;
      },
    );
    const reading = joined ? undefined : { totals, ...(await count(work, key)) };
    if (reading && isWhole(reading, work.areJoined)) return removeRepeated(work, key, reading);
    const isAgain = reading !== undefined && before !== undefined && isSame(reading, before);
    // The same result twice is a property of the service, not a change.
    if (isAgain && reading.totals.length === 0) return removeRepeated(work, key, reading);
    if (isAgain && reading.totals.length === 1) throw tooFew(read, reading);
    if (attempt === attempts) throw joined ?? changing(read, reading);
    onProgress?.(`${joined?.message ?? changing(read, reading).message} Reading it again.`);
    before = reading;
    await table.empty();
  }
}

function isWhole({ totals, rows, keys }: Reading, areJoined: boolean): boolean {
  if (totals.length > 1 && !areJoined) return false;
  const total = totals.at(-1);
  return total === undefined ? keys === rows : keys >= total;
}

function isSame(one: Reading, other: Reading): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

async function count({ target, table }: StableFetch, key: readonly string[]): Promise<Omit<Reading, 'totals'>> {
  const [row] = await target.query(countRowsSql(table.name));
  const rows = Number(row?.['rows']);
  if (key.length === 0) return { rows, keys: rows };
  const [found] = await target.query(countKeysSql(table.name, key));
  return { rows, keys: Number(found?.['keys']) };
}

/** Counts the rows of a table of fetched records. */
export function countRowsSql(table: string): string {
  return `SELECT count(*) AS rows FROM temp.${quoteIdentifier(table)}`;
}

/** Counts its distinct keys; each record without a key counts. */
export function countKeysSql(table: string, key: readonly string[]): string {
  const name = `temp.${quoteIdentifier(table)}`;
  const list = key.map(quoteIdentifier).join(', ');
  const isNull = key.map((each) => `${quoteIdentifier(each)} IS NULL`).join(' OR ');
  return `SELECT (SELECT count(*) FROM (SELECT DISTINCT ${list} FROM ${name} WHERE NOT (${isNull}))) + (SELECT count(*) FROM ${name} WHERE ${isNull}) AS keys`;
}

/** The columns that identify the records of a read. */
export function keyOfRead({ columns }: ObjectRead): readonly string[] {
  return columns.filter(({ primaryKey }) => primaryKey).map(({ name }) => name);
}

async function removeRepeated(
  { target, table, read, onWarning }: StableFetch,
  key: readonly string[],
  { rows, keys }: Reading,
): Promise<void> {
  if (keys === rows) return;
  const name = `temp.${quoteIdentifier(table.name)}`;
  const list = key.map(quoteIdentifier).join(', ');
  const isGiven = key.map((each) => `${quoteIdentifier(each)} IS NOT NULL`).join(' AND ');
  await target.run(
    `DELETE FROM ${name} WHERE ${isGiven} AND rowid NOT IN (SELECT max(rowid) FROM ${name} GROUP BY ${list})`,
  );
  onWarning(
    `${rows - keys} of ${rows} records of ${read.dataObject} came more than once by their key (${key.join(', ')}): each is there once, as it came last.`,
  );
}

function changing({ dataObject }: ObjectRead, reading: Reading | undefined): ListShift {
  const { totals = [], rows = 0, keys = 0 } = reading ?? {};
  const told = totals.length > 1 ? `it was said to have ${totals.join(', then ')} records` : '';
  const twice = keys < rows ? `${rows - keys} records came twice` : '';
  const short = totals.length === 1 && keys < (totals[0] ?? 0) ? `${keys} of ${totals[0]} records came` : '';
  const why = [told, twice, short].filter((part) => part !== '').join(', and ');
  return new ListShift(`The list of ${dataObject} changed while it was read: ${why}.`);
}

function tooFew({ dataObject }: ObjectRead, { totals, keys }: Reading): SourceError {
  return new SourceError(
    'source-incomplete',
    `The endpoint ${dataObject} tells of ${totals[0]} records, but only ${keys} arrived.`,
    { remedy: 'Check total, parameter and limitParameter in its pagination, and the user’s read permissions.' },
  );
}
