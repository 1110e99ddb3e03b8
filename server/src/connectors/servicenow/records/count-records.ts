import { isSourceError, type SourceErrorCode } from '../../source-error.ts';
import { retryWithHalfSize } from './retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { changesField, timeField } from './watermark.ts';
import type { RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { AggregateParameters } from '../api/parameters.ts';
import { joined, type PagedRead } from './page-parameters.ts';

type CountedRead = Pick<PagedRead, 'table' | 'branches' | 'conditions'>;

/** A count with the time of the newest counted record. */
export interface DatedCount extends RecordCount {
  readonly newest: NewestTime | 'cancelled' | 'untold';
}

export interface NewestTime {
  /** In the instance's notation; empty without a record with a time. */
  readonly at: string;
  /** Time of the response by the instance's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Counts the records of a read with further conditions, including unreadable ones if the instance supports it.
 * Undefined for a table that takes too long to count; its pages can still be read.
 */
export async function countRecords(
  client: ServiceNowClient,
  read: CountedRead,
  options: CallOptions,
): Promise<RecordCount> {
  try {
    const parameters = countParameters(read);
    const figures = await retryWithHalfSize(1, () => client.aggregates.figures(read.table, parameters, options));
    return { count: figures?.count, isRefused: false };
  } catch (error) {
    if (isRefusal(error)) return countListed(client, read, options);
    throw error;
  }
}

/**
 * Like `countRecords`, with the time of the newest record: an aggregate in the same request avoids sorting, which takes
 * too long on large tables.
 */
export async function countWithNewest(
  client: ServiceNowClient,
  read: CountedRead,
  options: CallOptions,
): Promise<DatedCount> {
  const field = timeField(read.table);
  try {
    const parameters = countParameters(read, field);
    const figures = await retryWithHalfSize(1, () => client.aggregates.figures(read.table, parameters, options));
    if (!figures) return { ...(await countRecords(client, read, options)), newest: 'cancelled' };
    const { count, max, now } = figures;
    const at = max?.[field];
    return { count, isRefused: false, newest: at === undefined ? 'untold' : { at, now } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...(await countListed(client, read, options)), newest: 'untold' };
  }
}

/** A count with the sum of modification counts; `too slow` when only the sum takes too long. */
interface SummedCount extends RecordCount {
  readonly sum: bigint | 'too slow' | undefined;
}

/**
 * Like `countRecords`, with the sum of modification counts in the same request. Failures of the sum, such as a missing
 * field, do not affect the count.
 */
export async function countWithChanges(
  client: ServiceNowClient,
  read: CountedRead,
  options: CallOptions,
): Promise<SummedCount> {
  const parameters = { ...countParameters(read), sumFields: [changesField] };
  const counted = async (sum: 'too slow' | undefined): Promise<SummedCount> => ({
    ...(await countRecords(client, read, options)),
    sum,
  });
  try {
    const figures = await retryWithHalfSize(1, () => client.aggregates.figures(read.table, parameters, options));
    if (!figures) return await counted('too slow');
    return { count: figures.count, isRefused: false, sum: wholeNumber(figures.sum?.[changesField]) };
  } catch (error) {
    if (isSourceError(error) && !withoutAnswer.includes(error.code)) return counted(undefined);
    throw error;
  }
}

/** The request would be rejected for every record. */
const withoutAnswer: readonly SourceErrorCode[] = ['source-unreachable', 'authentication-failed'];

function wholeNumber(text: unknown): bigint | undefined {
  const [, digits] = /^(\d+)(?:\.0+)?$/.exec(String(text ?? '')) ?? [];
  return digits === undefined ? undefined : BigInt(digits);
}

/** The time of the newest record of a whole table. */
export async function newestTime(
  client: ServiceNowClient,
  table: string,
  options: CallOptions,
): Promise<DatedCount['newest']> {
  const parameters = newestParameters(table);
  try {
    const figures = await retryWithHalfSize(1, () => client.aggregates.figures(table, parameters, options));
    const at = figures?.max?.[timeField(table)];
    return !figures ? 'cancelled' : at === undefined ? 'untold' : { at, now: figures.now };
  } catch (error) {
    if (isRefusal(error)) return 'untold';
    throw error;
  }
}

/** The field that determines the newest record of a whole table. */
export function newestParameters(table: string): AggregateParameters {
  return { maxFields: [timeField(table)] };
}

/** Aggregates of the count and of the newest record. */
export function countParameters(
  { branches, conditions = [] }: Pick<CountedRead, 'branches' | 'conditions'>,
  newestBy?: string,
): AggregateParameters {
  const query = joined(branches, conditions).join('^');
  return {
    count: true,
    maxFields: newestBy === undefined ? undefined : [newestBy],
    query: query === '' ? undefined : query,
  };
}

/** Aggregates may be refused to some users, or fail for non-tables; a page shows whether the table exists. */
export function isRefusal(error: unknown): boolean {
  return isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
}

/** Falls back to the total announced by a page, if the Aggregate API is refused. */
async function countListed(client: ServiceNowClient, read: CountedRead, options: CallOptions): Promise<RecordCount> {
  const query = joined(read.branches, read.conditions ?? []).join('^');
  const parameters = { limit: 1, fields: ['sys_id'], query: query === '' ? undefined : query };
  const page = await retryWithHalfSize(1, () => client.tables.list(read.table, parameters, options));
  return { count: page?.totalCount, isRefused: true };
}
