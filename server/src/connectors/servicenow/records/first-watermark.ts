import type { ObjectRead } from '../../../query/compiled-query.ts';
import { isSourceError } from '../../source-error.ts';
import { retryWithHalfSize } from './retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { type Watermark, timeField } from './watermark.ts';
import { isTrail } from './check-audit-filter.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { type DatedCount, type NewestTime, countRecords, countWithNewest, newestTime } from './count-records.ts';
import { fieldText } from '../api/field-text.ts';
import { pagedRead } from './paged-read.ts';
import type { TableParameters } from '../api/parameters.ts';
import { joined, type PagedRead } from './page-parameters.ts';
import { recentChanges } from './recent-changes.ts';
import { parseUtcSeconds } from './utc-seconds.ts';

/**
 * The watermark after a full read. Undefined, with a warning, if unavailable.
 * @param counted count at the start of this import
 * @param began its start by `performance.now()`: records may have changed since then
 */
export async function firstWatermark(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { counted, began, onWarning }: WatermarkedImport,
  options: CallOptions,
): Promise<Watermark | undefined> {
  const { dataObject: table } = read;
  const newest = counted.newest === 'untold' ? await newestListed(config, client, read, options) : counted.newest;
  if (newest === 'cancelled' || newest === undefined) {
    const why = newest === undefined ? 'does not tell' : 'cancels the query for';
    onWarning(`The instance ${why} the newest record of ${table}: the next import cannot go on from this one.`);
    return undefined;
  }
  // Without records, the count includes the first one later.
  if (newest.at === '' && counted.count === 0) return { from: newest.now };
  const time = parseUtcSeconds(newest.at);
  if (Number.isNaN(time)) {
    onWarning(`Records of ${table} have no ${timeField(table)}: the next import cannot go on from this one.`);
    return undefined;
  }
  // A record may have a time in the future.
  const from = Math.min(time, newest.now);
  // Large tables are read while they are counted.
  if (!hasOthers(read)) return { from: from - (performance.now() - began) };
  // Records outside of the filter are not part of the read; without this they would later look like changes.
  const recent = await recentChanges(config, client, read, { from }, options);
  return recent?.next ?? { from };
}

/** The count of a full read, with the newest record that may change, also outside of the filter. */
export async function datedCount(
  client: ServiceNowClient,
  read: ObjectRead,
  paged: PagedRead,
  options: CallOptions,
): Promise<DatedCount> {
  if (!hasOthers(read)) return countWithNewest(client, paged, options);
  const [counted, newest] = await Promise.all([
    countRecords(client, paged, options),
    newestTime(client, paged.table, options),
  ]);
  return { ...counted, newest };
}

interface WatermarkedImport {
  readonly counted: DatedCount;
  readonly began: number;
  readonly onWarning: (warning: string) => void;
}

/** Whether records outside of the read can change. */
export function hasOthers({ dataObject, filters }: ObjectRead): boolean {
  return filters !== undefined && !isTrail(dataObject);
}

/** Some of the newest records may be hidden. */
const newestAsked = 10;

/** Without aggregates, determined by a page in time order. Undefined if refused. */
async function newestListed(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  options: CallOptions,
): Promise<NewestTime | 'cancelled' | undefined> {
  const asked = datedRead(config, read);
  const field = timeField(asked.table);
  try {
    const page = await retryWithHalfSize(newestAsked, (limit) =>
      client.tables.list(asked.table, listedParameters(asked, limit), options),
    );
    if (!page) return 'cancelled';
    const times = page.records.map((record) => fieldText(record[field])).filter((text) => text !== '');
    return times[0] === undefined ? undefined : { at: times[0], now: page.now };
  } catch (error) {
    if (isSourceError(error) && error.code === 'permission-denied') return undefined;
    throw error;
  }
}

/** The audit trail needs a filter; for other tables the newest record of all is found fastest. */
function datedRead(config: ServiceNowConfig, read: ObjectRead): Pick<PagedRead, 'table' | 'branches'> {
  const { table, branches } = pagedRead(config, read);
  return { table, branches: isTrail(table) ? branches : [] };
}

function listedParameters(
  { table, branches }: Pick<PagedRead, 'table' | 'branches'>,
  limit = newestAsked,
): TableParameters {
  const field = timeField(table);
  const query = [...joined(branches, []), `ORDERBYDESC${field}`].join('^');
  return { query, limit, fields: ['sys_id', field], noCount: true };
}
