import type { ObjectRead } from '../../query/compiled-query.ts';
import { filterBranches, keyCondition } from '../../query/servicenow-filter.ts';
import type { Cells, ReadOptions } from '../fetched/record-source.ts';
import type { CallOptions } from './call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import { checkComplete, type RecordCount } from './check-complete.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { countRecords } from './count-records.ts';
import { hasHiddenRecords } from './hidden-records.ts';
import { keyRanges, mergedPages } from './key-ranges.ts';
import { keyTally, type KeyTally } from './key-tally.ts';
import { pageSize } from './page-size.ts';
import { keyConditions, keyOf, readPages, type PagedRead, type PageFindings } from './read-pages.ts';
import { cellReader, fieldOf, requestedDisplayValue } from './record-cells.ts';

/** How the records of a read are asked for. */
export function pagedRead(config: ServiceNowConfig, { dataObject, columns, filters, keys }: ObjectRead): PagedRead {
  return {
    table: dataObject,
    branches: filterBranches(filters, dataObject, columns),
    fields: [...new Set(columns.map(({ name }) => fieldOf(name, config.displayValue)))],
    displayValue: requestedDisplayValue(config.displayValue),
    pageSize: config.pageSize,
    ...(keys && { conditions: [keyCondition(keys.column, keys.values) ?? ''] }),
  };
}

/**
 * The records of a table. An import reads ranges of `sys_id` at a time and proves that all arrived; `conditions` are encoded
 * ones that hold beside those of the read.
 */
export async function* tableRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  read: ObjectRead,
  { purpose, signal, onProgress, onWarning, wanted }: ReadOptions,
  conditions: readonly string[] = [],
): AsyncGenerator<readonly Cells[], void, undefined> {
  if (purpose === 'import') checkAuditFilter(read);
  const known = pagedRead(config, read);
  const sizes = pageSize({ most: config.pageSize, ...(purpose === 'preview' && { first: wanted }) });
  const paged: PagedRead = { ...known, sizes, conditions: [...(known.conditions ?? []), ...conditions] };
  const options: CallOptions = { signal, onWait: (_, reason) => onProgress?.(reason) };
  const count = (more: Partial<PagedRead> = {}): Promise<RecordCount> =>
    countRecords(client, { ...paged, ...more }, options);
  const before = purpose === 'import' ? await count() : uncounted;
  const ranges = keyRanges((before.count ?? 0) / config.pageSize, config.concurrency);
  const whole: PagedRead = {
    ...paged,
    ...(before.count !== undefined && { expected: before.count / ranges.length }),
    count: async (behind) => (await count({ conditions: behind })).count,
  };
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  const tally = keyTally();
  let records = 0;
  const readers = read.columns.map((column) => cellReader(column, config.displayValue));
  const seen = readers.map(() => false);
  // A preview stops at any page, so it has none fetched ahead.
  const pages =
    purpose === 'preview'
      ? readPages(client.tables, paged, options)
      : mergedPages(
          ranges.map(
            (range) => (session) => readPages(client.tables, { ...whole, range }, { ...options, session }, findings),
          ),
          config.concurrency,
        );
  for await (const page of pages) {
    records += page.length;
    if (purpose === 'import') for (const record of page) tally.add(keyOf(paged, record));
    yield page.map((record) =>
      readers.map((readCell, index) => {
        const cell = readCell(record);
        if (cell === undefined) return null;
        seen[index] = true;
        return cell;
      }),
    );
  }
  if (purpose !== 'import') return;
  const hidden = records === 0 ? [] : read.columns.filter((_, index) => !seen[index]).map(({ name }) => name);
  if (hidden.length > 0) {
    onWarning(`The user may not read these fields of ${read.dataObject}, so they are empty: ${hidden.join(', ')}.`);
  }
  // Fewer than before may be because some were deleted meanwhile.
  const after = before.count === undefined || records >= before.count ? before : await count();
  const hasHidden = (): Promise<boolean> => areHidden(client, whole, tally, options);
  const counts = { table: read.dataObject, records, findings, before, after, hasHidden };
  await checkComplete(counts, config.onShortfall, onWarning);
}

const uncounted: RecordCount = { count: undefined, isRefused: false };

/** Whether records of a read that are missing are hidden, as told by reading small parts of it again. */
function areHidden(client: ServiceNowClient, read: PagedRead, tally: KeyTally, options: CallOptions): Promise<boolean> {
  return hasHiddenRecords({
    tally,
    small: 2 * read.pageSize,
    count: async (range) => read.count?.([...(read.conditions ?? []), ...keyConditions({ range })]),
    async read(range) {
      let records = 0;
      const { expected: _, ...part } = read;
      for await (const page of readPages(client.tables, { ...part, fields: [], range }, options))
        records += page.length;
      return records;
    },
  });
}
