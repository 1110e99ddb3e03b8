import type { ObjectRead } from '../../../query/compiled-query.ts';
import { SourceError, isSourceError, type SourceErrorCode } from '../../source-error.ts';
import { retryWithHalfSize } from './retry-with-half-size.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import type { ServiceNowClient } from '../api/client.ts';
import { isPageCapped } from './capped-page.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { countRecords } from './count-records.ts';
import { checkFilterReadable } from './filter-readable.ts';
import { pageParameters, type PagedRead } from './page-parameters.ts';
import { isOfView, partOf, viewParts } from './page-parts.ts';
import { pagedRead } from './paged-read.ts';
import { fieldReader } from './read-fields.ts';
import { ignoredKeys, keysOf } from './read-pages.ts';

/** Number of examined records. */
const looked = 100;

/** Predicted failures of a read, and whether the examined records allow a prediction. */
const ofReads: readonly SourceErrorCode[] = [
  'source-config',
  'permission-denied',
  'object-missing',
  'source-incomplete',
];

/**
 * Why an import of a read would fail, based on its first records: missing permissions and required filters. Undefined
 * if no reason was found. Rejects with a `SourceError` when the instance is unreachable.
 */
export async function checkRead(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  options: CallOptions,
): Promise<SourceError | undefined> {
  try {
    checkAuditFilter(read);
    const paged = pagedRead(config, read);
    const [part = {}] = isOfView(read) ? viewParts(read) : [];
    await checkRecords(config, client, read, partOf(paged, part), options);
    if (part.keys?.length !== 0) await checkOrder(client, partOf(paged, part), options);
    return undefined;
  } catch (error) {
    if (isSourceError(error) && ofReads.includes(error.code)) return error;
    throw error;
  }
}

async function checkRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  paged: PagedRead,
  options: CallOptions,
): Promise<void> {
  const { table } = paged;
  const before = await countRecords(client, paged, options);
  const page = await retryWithHalfSize(looked, async (limit) => ({
    asked: limit,
    ...(await client.tables.list(table, pageParameters(paged, { limit, counted: true }), options)),
  }));
  // A table that is too slow for this check may still be importable.
  if (!page) return;
  const after = await countRecords(client, paged, options);
  const records = page.records.filter((record) => Object.keys(record).length > 0);
  for (const record of records) keysOf(paged, record);
  const fields = fieldReader(config, read);
  fields.cells(records);
  fields.report({ onWarning: () => undefined });
  if (records.length === 0) await checkFilterReadable(config, client, read, { ...options, onWarning: () => undefined });
  const { totalCount: listed = 0, asked } = page;
  const counted = Math.min(before.count ?? 0, after.count ?? 0);
  const expected = Math.min(Math.max(listed, counted), asked);
  if (config.onShortfall === 'warn' || (records.length >= expected && listed >= counted)) return;
  const keys = records.map((record) => keysOf(paged, record));
  if (listed >= counted && (await isPageCapped(client.tables, paged, { keys, hidden: 0 }, options))) return;
  throw new SourceError(
    'source-incomplete',
    `Of ${Math.max(listed, counted)} records of ${table} the user may not read all: an import would fail, as it would be short (row ACLs).`,
    { remedy: 'Give the user a role that may read them, or set onShortfall: warn to import what it may read.' },
  );
}

/** A key beyond all others selects nothing, unless the instance ignores the comparison. */
async function checkOrder(client: ServiceNowClient, paged: PagedRead, options: CallOptions): Promise<void> {
  const [key = 'sys_id'] = paged.keys ?? [];
  const query = `${key}>${'f'.repeat(32)}zz^ORDERBY${key}`;
  const parameters = { query, limit: 1, fields: [key], noCount: true };
  const found = await retryWithHalfSize(1, () => client.tables.list(paged.table, parameters, options));
  if (found && found.records.length > 0) throw ignoredKeys(paged);
}
