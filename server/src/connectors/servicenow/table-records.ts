import type { ObjectRead } from '../../query/compiled-query.ts';
import { filterBranches, keyCondition } from '../../query/servicenow-filter.ts';
import type { Cells, ReadOptions } from '../fetched/record-source.ts';
import { isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import { checkAuditFilter } from './check-audit-filter.ts';
import { checkComplete } from './check-complete.ts';
import type { ServiceNowClient } from './client.ts';
import type { ServiceNowConfig } from './config.ts';
import { keyRanges, mergedPages } from './key-ranges.ts';
import { pageSize } from './page-size.ts';
import { joined, readPages, tookTooLong, type PagedRead, type PageFindings } from './read-pages.ts';
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
  const paged = { ...known, sizes, conditions: [...(known.conditions ?? []), ...conditions] };
  const options: CallOptions = { signal, onWait: (_, reason) => onProgress?.(reason) };
  const count = purpose === 'import' ? await countRecords(client, paged, options) : undefined;
  const ranges = keyRanges((count ?? 0) / config.pageSize, config.concurrency);
  const expected = count === undefined ? {} : { expected: count / ranges.length };
  const findings: PageFindings = { isHiding: false, isUncounted: false };
  let records = 0;
  const readers = read.columns.map((column) => cellReader(column, config.displayValue));
  const seen = readers.map(() => false);
  // A preview stops at any page, so it has none fetched ahead.
  const pages =
    purpose === 'preview'
      ? readPages(client.tables, paged, options)
      : mergedPages(
          ranges.map(
            (range) => (session) =>
              readPages(client.tables, { ...paged, ...expected, range }, { ...options, session }, findings),
          ),
          config.concurrency,
        );
  for await (const page of pages) {
    records += page.length;
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
  const after = count === undefined || records >= count ? count : await countRecords(client, paged, options);
  checkComplete({ table: read.dataObject, records, findings, before: count, after }, config.onShortfall, onWarning);
}

const countAttempts = 3;

/** Records that the query selects, whatever the user may read; undefined when nobody says. */
export async function countRecords(
  client: ServiceNowClient,
  paged: PagedRead,
  options: CallOptions,
): Promise<number | undefined> {
  const query = joined(paged.branches, paged.conditions ?? []).join('^');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await client.aggregates.count(paged.table, query, options);
    } catch (error) {
      if (isSourceError(error) && error.code === 'permission-denied') break;
      // A busy instance cancels what it can do a moment later.
      if (!tookTooLong(error) || attempt === countAttempts) throw error;
    }
  }
  const parameters = { limit: 1, fields: ['sys_id'], ...(query !== '' && { query }) };
  return (await client.tables.list(paged.table, parameters, options)).totalCount;
}
