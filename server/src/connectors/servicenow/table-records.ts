import type { ObjectRead } from '../../query/compiled-query.ts';
import type { Cells, ReadOptions } from '../fetched/record-source.ts';
import { toldWait } from '../http/with-retries.ts';
import type { CallOptions } from './call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import { checkComplete, type RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { askPatiently } from './ask-patiently.ts';
import { countRecords } from './count-records.ts';
import { countTwice } from './count-twice.ts';
import { datedCount, firstMark, hasOthers } from './first-mark.ts';
import { type Missing, whyMissing } from './hidden-records.ts';
import { mergedPages } from './key-ranges.ts';
import { keyTally, type KeyTally } from './key-tally.ts';
import { pageSize } from './page-size.ts';
import { jsonShape, pagedRead } from './paged-read.ts';
import {
  keyConditions,
  namedFields,
  readPages,
  readPagesAsSent,
  tookTooLong,
  type PagedRead,
  type PageFindings,
} from './read-pages.ts';
import { countedRanges, rangesAtOnce } from './read-ranges.ts';
import { regularPageReader } from './regular-page.ts';
import { fieldReader, filterColumns, unreadableFilter } from './read-fields.ts';
import { fieldOf } from './record-cells.ts';

/**
 * The records of a table. An import reads ranges of `sys_id` at a time and proves that all arrived; `conditions` are encoded
 * ones that hold beside those of the read.
 */
export async function* tableRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { purpose, signal, onProgress, onWarning, onLeftOut, onLast, onMark, takeJson, wanted }: ReadOptions,
  conditions: readonly string[] = [],
): AsyncGenerator<readonly Cells[], void, undefined> {
  if (purpose === 'import') checkAuditFilter(read);
  const known = pagedRead(config, read);
  const sizes = pageSize({ most: config.pageSize, ...(purpose === 'preview' && { first: wanted }) });
  const paged: PagedRead = { ...known, sizes, conditions: [...(known.conditions ?? []), ...conditions] };
  const options: CallOptions = { signal, onWait: toldWait(onProgress) };
  const count = (more: Partial<PagedRead> = {}): Promise<RecordCount> =>
    countRecords(client, { ...paged, ...more }, options);
  const began = performance.now();
  const dated = onMark && datedCount(client, read, paged, options);
  const counts = countTwice(dated ?? (purpose === 'import' ? count() : Promise.resolve(uncounted)), count);
  const marking = dated?.then(async (counted) => {
    const mark = await firstMark(config, client, read, { counted, began, onWarning }, options);
    onMark?.(mark && JSON.stringify(mark));
  });
  // Whoever reads to the end waits for it.
  marking?.catch(() => undefined);
  if (hasOthers(read)) await marking;
  const ranges = rangesAtOnce(config, read, conditions) ?? countedRanges(config, read, (await counts.before).count);
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
  if (records === 0 && isWhole) await checkFilterReadable(config, client, read, { ...options, onWarning });
  if (purpose !== 'import') return;
  await marking;
  const before = await counts.before;
  // Fewer than before may be because some were deleted meanwhile, and as many because new ones make up for hidden ones.
  const counted = await counts.after();
  const after = counted.count === undefined && records >= (before.count ?? 0) ? before : counted;
  await checkComplete(
    {
      ...{ table: read.dataObject, records, findings, before, after },
      whyMissing: () => missing(client, countable, tally, options),
    },
    config.onShortfall,
    onWarning,
  );
}

const uncounted: RecordCount = { count: undefined, isRefused: false };

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
  { onWarning, ...options }: CallOptions & Pick<ReadOptions, 'onWarning'>,
): Promise<void> {
  const columns = filterColumns(read);
  if (columns.length === 0) return;
  const names = columns.map(({ name }) => fieldOf(name, displayValue));
  const parameters = { fields: ['sys_id', ...names], excludeReferenceLink: true, noCount: true };
  const page = await askPatiently(looked, (limit) => tables.list(read.dataObject, { ...parameters, limit }, options));
  if (!page) {
    onWarning(
      `No record of ${read.dataObject} meets where. Whether the user may read what it filters by is not known: the instance cancels the query that tells.`,
    );
    return;
  }
  const readable = page.records.filter((record) => 'sys_id' in record);
  const unreadable = columns.find((_, index) => readable.every((record) => !((names[index] ?? '') in record)));
  if (readable.length > 0 && unreadable) throw unreadableFilter(read, unreadable);
}

/** Why records of a read are missing, as told by reading small parts of it again. */
function missing(client: ServiceNowClient, read: PagedRead, tally: KeyTally, options: CallOptions): Promise<Missing> {
  return whyMissing({
    tally,
    small: 2 * read.pageSize,
    count: async (range) => read.count?.([...(read.conditions ?? []), ...keyConditions({ range })]),
    async read(range) {
      let records = 0;
      try {
        for await (const page of readPages(client.tables, { ...read, fields: [], range }, options))
          records += page.length;
        return records;
      } catch (error) {
        if (tookTooLong(error)) return undefined;
        throw error;
      }
    },
  });
}
