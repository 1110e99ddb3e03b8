import type { ObjectRead } from '../../../query/compiled-query.ts';
import type { Cells, ReadOptions } from '../../fetched/record-source.ts';
import { reportWait } from '../../http/with-retries.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import { type RecordCount, checkComplete } from './check-complete.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ServiceNowConfig } from '../read-settings.ts';
import { countRecords } from './count-records.ts';
import { checkFilterReadable } from './filter-readable.ts';
import { datedCount, firstWatermark, hasOthers } from './first-watermark.ts';
import { type Missing, missingReason } from './hidden-records.ts';
import { mergedPages } from './key-ranges.ts';
import { type KeyCounter, keyCounter } from './key-counter.ts';
import { type PagedRead, namedFields, keyConditions, pageParameters } from './page-parameters.ts';
import { type PagePart, countedParts, isOfView, partsWithoutCount, viewParts } from './page-parts.ts';
import { pageSize } from './page-size.ts';
import { jsonShape, pagedRead } from './paged-read.ts';
import { fieldReader } from './read-fields.ts';
import { type PageFindings, type PageRecords, readPagesAsSent, readPages } from './read-pages.ts';
import { regularPageReader } from './regular-page.ts';
import type { ListOptions, TableApi } from '../api/table-api.ts';
import { tookTooLong, requestPage } from './request-page.ts';

/**
 * The records of a table. An import reads ranges of `sys_id` concurrently and verifies completeness; `conditions` are
 * additional encoded ones.
 */
// eslint-disable-next-line max-lines-per-function -- One read from its first count to its last check, in the order of its requests.
export async function* tableRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { purpose, signal, onProgress, onWarning, onUnreadable, onLast, onMark, takeJson, wanted }: ReadOptions,
  conditions: readonly string[] = [],
): AsyncGenerator<readonly Cells[], void, undefined> {
  if (purpose === 'import') checkAuditFilter(read);
  const known = pagedRead(config, read);
  const sizes = pageSize({ most: config.pageSize, first: purpose === 'preview' ? wanted : undefined });
  const paged: PagedRead = { ...known, sizes, conditions: [...(known.conditions ?? []), ...conditions] };
  const options: CallOptions = { signal, onWait: reportWait(onProgress) };
  const count = (more: Partial<PagedRead> = {}): Promise<RecordCount> =>
    countRecords(client, { ...paged, ...more }, options);
  const began = performance.now();
  const dated = onMark && datedCount(client, read, paged, options);
  const counts = countAroundRead(dated ?? (purpose === 'import' ? count() : Promise.resolve(uncounted)), count);
  const marking = dated?.then(async (counted) => {
    const mark = await firstWatermark(config, client, read, { counted, began, onWarning }, options);
    onMark?.(mark && JSON.stringify(mark));
  });
  // Awaited by readers that reach the end.
  marking?.catch(() => undefined);
  if (hasOthers(read)) await marking;
  const parts = partsWithoutCount(config, read, conditions) ?? countedParts(config, read, (await counts.before).count);
  let reading = parts.length;
  const countable: PagedRead = {
    ...paged,
    count: async (behind) => (await count({ conditions: behind })).count,
  };
  const whole: PagedRead = {
    // Several keys have no count after a cursor.
    ...(isOfView(read) ? paged : countable),
    // Concurrent with loading the last records.
    onEnd: () => void ((reading -= 1) === 0 && counts.after()),
    expected: () => {
      const counted = counts.beforeSoFar()?.count;
      return counted === undefined ? undefined : counted / parts.length;
    },
  };
  const regular = takeJson && jsonShape(config, read) ? regularPageReader(namedFields(paged) ?? []) : undefined;
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  const tally = keyCounter();
  let records = 0;
  const fields = fieldReader(config, read);
  const pagesOf = ({ conditions: more = [], ...part }: PagePart, listed: ListOptions): PageReader => {
    const read = {
      ...(purpose === 'preview' ? paged : whole),
      ...part,
      conditions: [...(paged.conditions ?? []), ...more],
    };
    return part.keys?.length === 0
      ? readKeylessPages(client.tables, read, listed, findings)
      : readPagesAsSent(client.tables, read, listed, findings);
  };
  // A preview may stop at any page, so it does not prefetch.
  const pages =
    purpose === 'preview'
      ? oneByOne((isOfView(read) ? viewParts(read) : [{}]).map((part) => () => pagesOf(part, options)))
      : mergedPages(
          parts.map((part) => (session) => pagesOf(part, { ...options, session, regular })),
          config.concurrency,
        );
  for await (const { keys, records: page, regular: sent } of pages) {
    records += sent ? sent.records : page.length;
    if (purpose === 'import') for (const key of keys) tally.add(key);
    if (sent) {
      fields.regular(sent.records);
      await takeJson?.(sent);
      continue;
    }
    const cells = fields.cells(page);
    // A preview may stop here.
    if (purpose === 'preview') fields.report({ onWarning: () => undefined });
    yield cells;
  }
  onLast?.();
  if (purpose === 'import') fields.report({ onWarning, onUnreadable });
  // With a filter on keys, no result is normal.
  const isWhole = read.keys === undefined && conditions.length === 0;
  if (records === 0 && isWhole) await checkFilterReadable(config, client, read, { ...options, onWarning });
  if (purpose !== 'import') return;
  if (parts.some(({ keys }) => keys?.length === 0) && records > config.pageSize)
    onWarning(
      `Nothing tells the rows of ${read.dataObject} apart: where it changed while it was read, some may be missing or there twice.`,
    );
  await marking;
  const before = await counts.before;
  // A lower count may come from deletions, and an equal one from new records that compensate for hidden ones.
  const counted = await counts.after();
  const after = counted.count === undefined && records >= (before.count ?? 0) ? before : counted;
  await checkComplete(
    {
      table: read.dataObject,
      records,
      findings,
      before,
      after,
      missingReason: async () => (isOfView(read) ? 'unknown' : missingInTableReason(client, countable, tally, options)),
    },
    config.onShortfall,
    onWarning,
  );
}

type PageReader = AsyncGenerator<PageRecords, void, undefined>;

async function* oneByOne(readers: readonly (() => PageReader)[]): PageReader {
  for (const read of readers) yield* read();
}

const uncounted: RecordCount = { count: undefined, isRefused: false };

/** Determines why records of a read are missing, by reading small parts again. */
function missingInTableReason(
  client: ServiceNowClient,
  read: PagedRead,
  tally: KeyCounter,
  options: CallOptions,
): Promise<Missing> {
  return missingReason({
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

/** Counts before and after a read, without delaying it. */
interface CountsAroundRead {
  /** The count at the start. */
  readonly before: Promise<RecordCount>;
  /** The count at the start, as soon as available. Throws the reason if it failed. */
  beforeSoFar(): RecordCount | undefined;
  /** The count after the read, requested by the first call; undefined without a count before. */
  after(): Promise<RecordCount>;
}

/** @param before the first count, already running */
function countAroundRead(before: Promise<RecordCount>, count: () => Promise<RecordCount>): CountsAroundRead {
  let known: RecordCount | undefined;
  let failure: { readonly error: unknown } | undefined;
  let after: Promise<RecordCount> | undefined;
  before.then(
    (counted) => (known = counted),
    (error: unknown) => (failure = { error }),
  );
  return {
    before,
    beforeSoFar() {
      if (failure) throw failure.error;
      return known;
    },
    after() {
      if (!after) {
        after = before.then((counted) => (counted.count === undefined ? counted : count()));
        // Prevents an unhandled rejection before the reader awaits it.
        after.catch(() => undefined);
      }
      return after;
    },
  };
}

/**
 * Reads rows without a unique key by page number, sorted by all fields: equal rows are interchangeable. Inserts and
 * deletes shift pages, so rows may be missing or duplicated.
 */
async function* readKeylessPages(
  api: TableApi,
  read: PagedRead,
  options: CallOptions,
  findings: PageFindings,
): AsyncGenerator<PageRecords, void, undefined> {
  const ordered: PagedRead = { ...read, keys: read.fields };
  const { sizes = pageSize({ most: read.pageSize }) } = read;
  let isSuspected = false;
  /** Page size of the instance, if smaller than the requested one. */
  let cap = Infinity;
  for (let offset = 0; ;) {
    const place = { offset, counted: true };
    const { page, limit: asked } = await requestPage(sizes, (size) =>
      api.list(read.table, pageParameters(ordered, { ...place, limit: Math.min(size, cap) }), options),
    );
    const limit = Math.min(asked, cap);
    const { totalCount, now } = page;
    const records = page.records.filter((record) => Object.keys(record).length > 0);
    if (totalCount === undefined) findings.isUncounted = true;
    else if (records.length < Math.min(limit, totalCount - offset)) {
      // The instance may limit pages to this size, and one row inserted or deleted between count and page looks like a
      // hidden row.
      if (!isSuspected) {
        isSuspected = true;
        if (records.length > 0) cap = records.length;
        continue;
      }
      findings.isHiding = true;
      cap = Infinity;
    }
    isSuspected = false;
    offset += limit;
    const isEnd = totalCount === undefined ? records.length === 0 : offset >= totalCount;
    if (isEnd) read.onEnd?.();
    if (records.length > 0) yield { keys: [], records, now };
    if (isEnd) return;
  }
}
