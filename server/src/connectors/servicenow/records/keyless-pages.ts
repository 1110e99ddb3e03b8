import { askPage } from './ask-page.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { pageParameters, type PagedRead } from './page-parameters.ts';
import { pageSize } from './page-size.ts';
import type { PageFindings, PageRecords } from './read-pages.ts';
import type { TableApi } from '../api/table-api.ts';

/**
 * Rows that nothing tells apart, page by page by their number, in the order of all their fields: equal ones may stand for each
 * other. What comes or goes meanwhile moves the others, so that some may be missing or come twice.
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
  for (let offset = 0; ;) {
    const place = { offset, counted: true };
    const { page, limit } = await askPage(sizes, (limit) =>
      api.list(read.table, pageParameters(ordered, { ...place, limit }), options),
    );
    const { totalCount, now } = page;
    const records = page.records.filter((record) => Object.keys(record).length > 0);
    if (totalCount === undefined) findings.isUncounted = true;
    else if (records.length < Math.min(limit, totalCount - offset)) {
      // A row that comes or goes between count and page looks like a hidden one, once.
      if (!isSuspected) {
        isSuspected = true;
        continue;
      }
      findings.isHiding = true;
    }
    isSuspected = false;
    offset += limit;
    const isEnd = totalCount === undefined ? records.length === 0 : offset >= totalCount;
    if (isEnd) read.onEnd?.();
    if (records.length > 0) yield { keys: [], records, now };
    if (isEnd) return;
  }
}
