import { requestPage } from './request-page.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { pageParameters, type PagedRead } from './page-parameters.ts';
import { pageSize } from './page-size.ts';
import type { PageFindings, PageRecords } from './read-pages.ts';
import type { TableApi } from '../api/table-api.ts';

/**
 * Reads rows without a unique key by page number, sorted by all fields: equal rows are interchangeable. Inserts and
 * deletes shift pages, so rows may be missing or duplicated.
 */
export async function* readKeylessPages(
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
