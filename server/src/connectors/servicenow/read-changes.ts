import type { ObjectRead } from '../../query/compiled-query.ts';
import type { ChangeReader, ReadOptions } from '../fetched/record-source.ts';
import { loginIdentity } from '../http/login-identity.ts';
import { toldWait } from '../http/with-retries.ts';
import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import { checkAuditFilter, isTrail } from './check-audit-filter.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { countRecords } from './count-records.ts';
import { fieldText } from './field-text.ts';
import type { TableParameters } from './parameters.ts';
import { joined, readPages, type PagedRead } from './read-pages.ts';
import { isOfOtherRecord } from './record-cells.ts';
import { pagedRead, tableRecords } from './table-records.ts';
import { parseUtcSeconds, utcSeconds } from './utc-seconds.ts';

/** Records are committed some time after the time that they bear. */
const overlapMs = 10 * 60_000;

/** Literal times of a query may be read in the zone of the user: two more zones' worth of records costs little. */
const zonesMs = 26 * 3_600_000;

/**
 * Changes by the time of their last update. The time bounds what is read, and pages go by `sys_id` as everywhere: however
 * many records share a second, none is missed. The newest time is that of the instance's own clock.
 */
export function changeReader(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  isTable: (dataObject: string) => boolean,
): ChangeReader {
  const isLiteral = new Map<string, Promise<boolean>>();

  async function since(read: ObjectRead, mark: string, options: ReadOptions): Promise<string> {
    const newest = JSON.parse(mark) as Mark;
    const key = `${read.dataObject} ${mark}`;
    const known = isLiteral.get(key) ?? literalsAreUtc(client, askedTable(config, read), newest, callOptions(options));
    isLiteral.set(key, known);
    return sinceCondition(read.dataObject, newest, await known);
  }

  return {
    identity: JSON.stringify([config.instanceUrl.href, config.displayValue, loginIdentity(config.auth)]),
    fullEveryMs: config.fullEveryMs,
    async mark(read, options) {
      if (!isTable(read.dataObject) || !hasMark(config, read)) return undefined;
      checkAuditFilter(read);
      const newest = await newestRecord(client, askedTable(config, read), callOptions(options));
      return newest && JSON.stringify(newest);
    },
    async *changedKeys(read, mark, options) {
      // What was written once meets the filter as long as it is there.
      if (isTrail(read.dataObject)) return;
      const paged = changedKeysRead(config, read, await since(read, mark, options));
      for await (const page of readPages(client.tables, paged, callOptions(options))) {
        yield page.map((record) => fieldText(record['sys_id']));
      }
    },
    async *changed(read, mark, options) {
      yield* tableRecords(config, client, read, options, [await since(read, mark, options)]);
    },
    count: async (read, options) => (await countRecords(client, pagedRead(config, read), callOptions(options))).count,
  };
}

/** Time and key of the newest record that the user may read, or of an older one, which is a good mark as well. */
export interface Mark {
  readonly at: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
}

/** The trail is written once; it has no time of an update. */
function timeField(table: string): string {
  return isTrail(table) ? 'sys_created_on' : 'sys_updated_on';
}

/** Without a filter the trail is more than an instance can look through; of other tables the newest record of all is found fastest. */
export function askedTable(config: ServiceNowConfig, read: ObjectRead): AskedTable {
  const { table, branches } = pagedRead(config, read);
  return isTrail(table) ? { table, branches } : { table };
}

/** A table, and encoded queries of which its records have to meet one. */
export interface AskedTable {
  readonly table: string;
  readonly branches?: readonly string[];
}

/** Some of the newest may be hidden from the user. */
const newestAsked = 10;

/** Undefined where the user may read none, or not sort by time. */
export async function newestRecord(
  client: ServiceNowClient,
  asked: AskedTable,
  options: CallOptions,
): Promise<Mark | undefined> {
  const field = timeField(asked.table);
  const { records } = await client.tables
    .list(asked.table, newestParameters(asked), options)
    .catch((error: unknown) => {
      // Without the right to sort by time there is no mark, and all is read.
      if (isSourceError(error) && error.code === 'permission-denied') return { records: [] };
      throw error;
    });
  for (const record of records) {
    const [at, id] = [fieldText(record[field]), fieldText(record['sys_id'])];
    const time = parseUtcSeconds(at);
    // A record may bear a time to come; our own clock is then the better guess.
    if (id !== '' && !Number.isNaN(time)) return { at, id, from: Math.min(time, Date.now()) };
  }
  return undefined;
}

/** Whether the instance reads literal times as UTC: a record is looked for by its own time. */
export async function literalsAreUtc(
  client: ServiceNowClient,
  asked: AskedTable,
  mark: Mark,
  options: CallOptions,
): Promise<boolean> {
  const { records } = await client.tables.list(asked.table, literalParameters(asked, mark), options);
  return records.some((record) => fieldText(record['sys_id']) === mark.id);
}

/** What the newest records are asked for by. */
export function newestParameters({ table, branches = [] }: AskedTable): TableParameters {
  const field = timeField(table);
  const query = [...joined(branches, []), `ORDERBYDESC${field}`].join('^');
  return { query, limit: newestAsked, fields: ['sys_id', field], noCount: true };
}

/** What a record is looked for by, with its own time as a literal. */
export function literalParameters({ table, branches = [] }: AskedTable, { at, id }: Mark): TableParameters {
  const query = joined(branches, [`sys_id=${id}`, `${timeField(table)}=${at}`]).join('^');
  return { query, limit: 1, fields: ['sys_id'], noCount: true };
}

/** The encoded condition of what changed since a mark, with margins. */
export function sinceCondition(table: string, { from }: Mark, areLiteralsUtc: boolean): string {
  return `${timeField(table)}>=${utcSeconds(from - overlapMs - (areLiteralsUtc ? 0 : zonesMs))}`;
}

/** Asks for keys alone, of all that changed. */
export function changedKeysRead(config: ServiceNowConfig, read: ObjectRead, since: string): PagedRead {
  return { ...pagedRead(config, read), branches: [], fields: [], conditions: [since] };
}

/** Whether an import can tell what changed of a read: not where values come from other records. */
export function hasMark(config: ServiceNowConfig, read: ObjectRead): boolean {
  return !read.columns.some((column) => isOfOtherRecord(column, config.displayValue));
}

function callOptions({ signal, onProgress }: ReadOptions): CallOptions {
  return { signal, onWait: toldWait(onProgress) };
}
