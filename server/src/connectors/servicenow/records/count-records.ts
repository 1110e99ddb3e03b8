import { isSourceError, type SourceErrorCode } from '../../source-error.ts';
import { askPatiently } from './ask-patiently.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { changesField, timeField } from './change-mark.ts';
import type { RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { AggregateParameters } from '../api/parameters.ts';
import { joined, type PagedRead } from './page-parameters.ts';

type CountedRead = Pick<PagedRead, 'table' | 'branches' | 'conditions'>;

/** A count with what it tells of the newest record that is counted. */
export interface DatedCount extends RecordCount {
  readonly newest: NewestTime | 'cancelled' | 'untold';
}

export interface NewestTime {
  /** As the instance writes it; empty where there is no record, or none with a time. */
  readonly at: string;
  /** Clock of the instance when it answered, milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Records that a read and further conditions select, whatever the user may read where the instance counts that. A table may be
 * too large to be counted in time: pages of it can be read all the same.
 */
export async function countRecords(
  client: ServiceNowClient,
  read: CountedRead,
  options: CallOptions,
): Promise<RecordCount> {
  try {
    const parameters = countParameters(read);
    const figures = await askPatiently(1, () => client.aggregates.figures(read.table, parameters, options));
    return { count: figures?.count, isRefused: false };
  } catch (error) {
    if (isRefusal(error)) return countListed(client, read, options);
    throw error;
  }
}

/**
 * As `countRecords`, with the time of the newest record: a figure of the same request needs no order, which a large table
 * cannot be brought into in time.
 */
export async function countWithNewest(
  client: ServiceNowClient,
  read: CountedRead,
  options: CallOptions,
): Promise<DatedCount> {
  const field = timeField(read.table);
  try {
    const parameters = countParameters(read, field);
    const figures = await askPatiently(1, () => client.aggregates.figures(read.table, parameters, options));
    if (!figures) return { ...(await countRecords(client, read, options)), newest: 'cancelled' };
    const { count, max, now } = figures;
    const at = max?.[field];
    return { count, isRefused: false, newest: at === undefined ? 'untold' : { at, now } };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { ...(await countListed(client, read, options)), newest: 'untold' };
  }
}

/** Records with how often they changed in all; `too slow` where the instance counts in time, but does not sum. */
export interface SummedCount extends RecordCount {
  readonly sum: bigint | 'too slow' | undefined;
}

/**
 * As `countRecords`, with the sum of how often the records changed, from the same request. What stands in the way of the sum, such as a
 * table or a user without the field, does not in that of the count.
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
    const figures = await askPatiently(1, () => client.aggregates.figures(read.table, parameters, options));
    if (!figures) return await counted('too slow');
    return { count: figures.count, isRefused: false, sum: wholeNumber(figures.sum?.[changesField]) };
  } catch (error) {
    if (isSourceError(error) && !withoutAnswer.includes(error.code)) return counted(undefined);
    throw error;
  }
}

/** Nobody would be answered. */
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
    const figures = await askPatiently(1, () => client.aggregates.figures(table, parameters, options));
    const at = figures?.max?.[timeField(table)];
    return !figures ? 'cancelled' : at === undefined ? 'untold' : { at, now: figures.now };
  } catch (error) {
    if (isRefusal(error)) return 'untold';
    throw error;
  }
}

/** What the newest record of a whole table is found by. */
export function newestParameters(table: string): AggregateParameters {
  return { maxFields: [timeField(table)] };
}

/** What records are counted by, and the newest of them is found. */
export function countParameters(
  { branches, conditions = [] }: Pick<CountedRead, 'branches' | 'conditions'>,
  newestBy?: string,
): AggregateParameters {
  const query = joined(branches, conditions).join('^');
  return { count: true, ...(newestBy !== undefined && { maxFields: [newestBy] }), ...(query !== '' && { query }) };
}

/** Figures are refused to some users, and may be unknown of what is no table; whether it is there at all, a page tells. */
export function isRefusal(error: unknown): boolean {
  return isSourceError(error) && ['permission-denied', 'object-missing'].includes(error.code);
}

/** By what a page says that there is to list, where the interface that counts is closed. */
async function countListed(client: ServiceNowClient, read: CountedRead, options: CallOptions): Promise<RecordCount> {
  const query = joined(read.branches, read.conditions ?? []).join('^');
  const parameters = { limit: 1, fields: ['sys_id'], ...(query !== '' && { query }) };
  const page = await askPatiently(1, () => client.tables.list(read.table, parameters, options));
  return { count: page?.totalCount, isRefused: true };
}
