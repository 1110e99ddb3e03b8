import type { ObjectRead } from '../../query/compiled-query.ts';
import { translateFilters, keyCondition } from '../../query/servicenow-filter.ts';
import type { Cells, JsonShape, ReadOptions } from '../fetched/record-source.ts';
import { toldWait } from '../http/with-retries.ts';
import type { CallOptions } from './call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import { checkComplete, type RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { countRecords } from './count-records.ts';
import { countTwice } from './count-twice.ts';
import { hasHiddenRecords } from './hidden-records.ts';
import { keyRanges, mergedPages } from './key-ranges.ts';
import { keyTally, type KeyTally } from './key-tally.ts';
import { pageSize } from './page-size.ts';
import {
  keyConditions,
  namedFields,
  readPages,
  readPagesAsSent,
  type KeyRange,
  type PagedRead,
  type PageFindings,
} from './read-pages.ts';
import { regularPageReader } from './regular-page.ts';
import { fieldReader, filterColumns, unreadableFilter } from './read-fields.ts';
import { fieldOf, requestedDisplayValue } from './record-cells.ts';

/** How the records of a read are asked for. */
export function pagedRead(config: ServiceNowConfig, { dataObject, columns, filters, keys }: ObjectRead): PagedRead {
  return {
    table: dataObject,
    branches: translateFilters(filters, dataObject, columns).branches,
    fields: [...new Set(columns.map(({ name }) => fieldOf(name, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
}

/** How regular pages of a table are sent: with the fields that are asked for, raw. */
export function jsonShape(config: ServiceNowConfig, read: ObjectRead): JsonShape | undefined {
  if (config.displayValue !== 'false' || !namedFields(pagedRead(config, read))) return undefined;
  return { list: 'result', fields: read.columns.map(({ name }) => name) };
}

/**
 * The records of a table. An import reads ranges of `sys_id` at a time and proves that all arrived; `conditions` are encoded
 * ones that hold beside those of the read.
 */
export async function* tableRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { purpose, signal, onProgress, onWarning, onLeftOut, onLast, takeJson, wanted }: ReadOptions,
  conditions: readonly string[] = [],
): AsyncGenerator<readonly Cells[], void, undefined> {
  if (purpose === 'import') checkAuditFilter(read);
  const known = pagedRead(config, read);
  const sizes = pageSize({ most: config.pageSize, ...(purpose === 'preview' && { first: wanted }) });
  const paged: PagedRead = { ...known, sizes, conditions: [...(known.conditions ?? []), ...conditions] };
  const options: CallOptions = { signal, onWait: toldWait(onProgress) };
  const count = (more: Partial<PagedRead> = {}): Promise<RecordCount> =>
    countRecords(client, { ...paged, ...more }, options);
  const counts = countTwice(() => (purpose === 'import' ? count() : Promise.resolve(uncounted)));
  const ranges =
    rangesAtOnce(config, read, conditions) ??
    keyRanges(((await counts.before).count ?? read.rowEstimate ?? 0) / config.pageSize, config.concurrency);
  let reading = ranges.length;
  const countable: PagedRead = {
    ...paged,
    count: async (behind) => (await count({ conditions: behind })).count,
  };
  const whole: PagedRead = {
    ...countable,
    // Beside taking the last records in.
    onEnd: () => void ((reading -= 1) === 0 && counts.after()),
    expected: () => {
      const counted = counts.beforeSoFar()?.count;
      return counted === undefined ? undefined : counted / ranges.length;
    },
  };
  const regular = takeJson && jsonShape(config, read) ? regularPageReader(namedFields(paged) ?? []) : undefined;
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  const tally = keyTally();
  let records = 0;
  const fields = fieldReader(config, read);
  // A preview stops at any page, so it has none fetched ahead.
  const pages =
    purpose === 'preview'
      ? readPagesAsSent(client.tables, paged, options)
      : mergedPages(
          ranges.map(
            (range) => (session) =>
              readPagesAsSent(client.tables, { ...whole, range }, { ...options, session, regular }, findings),
          ),
          config.concurrency,
        );
  for await (const { keys, records: page, regular: sent } of pages) {
    records += keys.length;
    if (purpose === 'import') for (const key of keys) tally.add(key);
    if (sent) {
      fields.regular(sent.records);
      await takeJson?.(sent);
      continue;
    }
    const cells = fields.cells(page);
    // A preview may take no further page.
    if (purpose === 'preview') fields.report({ onWarning: () => undefined });
    yield cells;
  }
  onLast?.();
  if (purpose === 'import') fields.report({ onWarning, ...(onLeftOut && { onLeftOut }) });
  // Where only some records are asked for, none is no surprise.
  const isWhole = read.keys === undefined && conditions.length === 0;
  if (records === 0 && isWhole) await checkFilterReadable(config, client, read, options);
  if (purpose !== 'import') return;
  const before = await counts.before;
  const hasHidden = (): Promise<boolean> => areHidden(client, countable, tally, options);
  // Fewer than before may be because some were deleted meanwhile, and as many because new ones make up for hidden ones.
  const counted = await counts.after();
  const after = counted.count === undefined && records >= (before.count ?? 0) ? before : counted;
  await checkComplete(
    { table: read.dataObject, records, findings, before, after, hasHidden },
    config.onShortfall,
    onWarning,
  );
}

const uncounted: RecordCount = { count: undefined, isRefused: false };

/** Ranges of a table that is known to be large: its pages need not wait for its count. Of filtered ones only the count tells. */
function rangesAtOnce(
  { pageSize: size, concurrency }: ServiceNowConfig,
  { rowEstimate = 0, filters, keys }: ObjectRead,
  conditions: readonly string[],
): readonly KeyRange[] | undefined {
  if (filters !== undefined || keys !== undefined || conditions.length > 0) return undefined;
  const ranges = keyRanges(rowEstimate / size, concurrency);
  return ranges.length > 1 && ranges.length >= concurrency ? ranges : undefined;
}

/** Records that are looked at to see whether a field can be read. */
const looked = 10;

/**
 * Some instances select nothing by a condition on a field that the user may not read. Throws `permission-denied` where no record
 * without any condition has the field.
 */
async function checkFilterReadable(
  { displayValue }: ServiceNowConfig,
  { tables }: ServiceNowClient,
  read: ObjectRead,
  options: CallOptions,
): Promise<void> {
  const columns = filterColumns(read);
  if (columns.length === 0) return;
  const names = columns.map(({ name }) => fieldOf(name, displayValue));
  const parameters = { limit: looked, fields: ['sys_id', ...names], excludeReferenceLink: true, noCount: true };
  const { records } = await tables.list(read.dataObject, parameters, options);
  const readable = records.filter((record) => 'sys_id' in record);
  const unreadable = columns.find((_, index) => readable.every((record) => !((names[index] ?? '') in record)));
  if (readable.length > 0 && unreadable) throw unreadableFilter(read, unreadable);
}

/** Whether records of a read that are missing are hidden, as told by reading small parts of it again. */
function areHidden(client: ServiceNowClient, read: PagedRead, tally: KeyTally, options: CallOptions): Promise<boolean> {
  return hasHiddenRecords({
    tally,
    small: 2 * read.pageSize,
    count: async (range) => read.count?.([...(read.conditions ?? []), ...keyConditions({ range })]),
    async read(range) {
      let records = 0;
      for await (const page of readPages(client.tables, { ...read, fields: [], range }, options))
        records += page.length;
      return records;
    },
  });
}
