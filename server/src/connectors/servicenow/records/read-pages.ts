import { SourceError } from '../../source-error.ts';
import { isPageCapped } from './capped-page.ts';
import { requestPage } from './request-page.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { fieldText } from '../api/field-text.ts';
import { keyConditions, ofRecords, pageParameters, type Cursor, type PagedRead } from './page-parameters.ts';
import { pageSize } from './page-size.ts';
import type { RegularPage } from './regular-page.ts';
import type { ListOptions, PlatformRecord, TableApi, TablePage } from '../api/table-api.ts';

/** At least one record. */
export interface PageRecords {
  /** The first key of each record. */
  readonly keys: readonly string[];
  /** Empty for raw pages. */
  readonly records: readonly PlatformRecord[];
  readonly regular?: RegularPage | undefined;
  /** Time of the response by the instance's clock, in milliseconds since the epoch. */
  readonly now: number;
}

/** Findings about the completeness of pages. */
export interface PageFindings {
  /** A page had fewer records than announced, twice in a row: the others are hidden. */
  isHiding: boolean;
  /** The instance did not count a page, or the records after one. */
  isUncounted: boolean;
}

/** Share of the expected records after which a page may be the last one: ranges are not equally full. */
const nearEnd = 0.95;

/**
 * Reads records page by page in key order: each page starts after the last record of the previous one, so that inserts
 * and deletes neither duplicate nor lose others. Pages of unreadable records are skipped and reported in `findings`.
 * Pages that take too long are retried with fewer records.
 */
export async function* readPages(
  api: TableApi,
  read: PagedRead,
  options: CallOptions,
  findings?: PageFindings,
): AsyncGenerator<readonly PlatformRecord[], void, undefined> {
  for await (const { records } of readPagesAsSent(api, read, options, findings)) yield records;
}

/** Like `readPages`, with raw pages if the options describe their shape. */
export async function* readPagesAsSent(
  api: TableApi,
  read: PagedRead,
  options: ListOptions,
  findings?: PageFindings,
): AsyncGenerator<PageRecords, void, undefined> {
  let cursor: Cursor | undefined;
  /** Number of records after the cursor known to be hidden. */
  let hidden = 0;
  /** Number of records after the cursor including hidden ones, if page counts omit them. */
  let behind: number | undefined;
  const { sizes = pageSize({ most: read.pageSize }) } = read;
  let hiding: 'unknown' | 'suspected' | 'known' = 'unknown';
  let sent = 0;
  /** Page size of the instance, if smaller than the requested one. */
  let cap = Infinity;
  // Counting is expensive, so only possible last pages are counted.
  let counted = true;
  for (;;) {
    const place = { cursor, offset: hidden, counted };
    const { page, limit: asked } = await requestPage(sizes, (size) =>
      api.list(read.table, pageParameters(read, { ...place, limit: Math.min(size, cap) }), options),
    );
    const limit = Math.min(asked, cap);
    const { regular } = page;
    const records = page.records.filter(hasFields);
    const found = regular?.records ?? records.length;
    // A short page is the last one or hides records: its count decides.
    if (!counted && found < limit) {
      counted = true;
      continue;
    }
    if (counted && page.totalCount === undefined && findings) findings.isUncounted = true;
    const isShort = page.totalCount !== undefined && found < Math.min(limit, page.totalCount - hidden);
    const keys = regular?.keys.map((key) => [key]) ?? records.map((record) => keysOf(read, record));
    for (const key of keys) checkAdvance(read, key, cursor);
    if (!isShort || hiding === 'known') {
      if (hiding === 'suspected') hiding = 'unknown';
    } else if (await isPageCapped(api, read, { cursor, keys, hidden }, options)) {
      hiding = 'unknown';
      cap = found;
    } else {
      // One record inserted or deleted between count and page looks like a hidden record.
      hiding = hiding === 'suspected' ? 'known' : 'suspected';
      if (hiding === 'suspected') continue;
      if (findings) findings.isHiding = true;
      cap = Infinity;
    }
    const mayBeLast = counted && isLast(page, found, hidden, limit);
    const isEnd = mayBeLast && (found > 0 || !page.totalCount);
    if (isEnd) read.onEnd?.();
    const firstKeys = regular?.keys ?? keys.map(([first = '']) => first);
    if (found > 0) yield { keys: firstKeys, records, now: page.now, regular };
    if (isEnd) return;
    if (mayBeLast) {
      // Counts without hidden records do not tell how far to skip; a total count does.
      if (behind === undefined && read.count) {
        behind = await read.count([...(read.conditions ?? []), ...keyConditions(read, cursor?.[0])]);
        if (behind === undefined && findings) findings.isUncounted = true;
      }
      if ((behind ?? 0) <= hidden + limit) {
        read.onEnd?.();
        return;
      }
    }
    sent += found;
    counted = found === 0 || sent + limit >= nearEnd * (read.expected?.() ?? Infinity);
    if (found === 0) {
      hidden += limit;
      continue;
    }
    cursor = keys.at(-1);
    hidden = 0;
    behind = undefined;
  }
}

/** Unreadable records may arrive as empty ones. */
function hasFields(record: PlatformRecord): boolean {
  for (const _ in record) return true;
  return false;
}

/** Whether no record follows a counted page: the count includes hidden records after the cursor. */
function isLast({ totalCount }: TablePage, records: number, hidden: number, limit: number): boolean {
  if (totalCount === undefined) return records === 0;
  return records >= totalCount || (records === 0 && totalCount <= hidden + limit);
}

/** The keys of a record. Throws `permission-denied` when one is missing. */
export function keysOf({ table, keys = ofRecords }: PagedRead, record: PlatformRecord): Cursor {
  return keys.map((field) => {
    const key = fieldText(record[field]);
    if (key !== '') return key;
    throw new SourceError('permission-denied', `The instance gives no ${field} for records of ${table}.`, {
      remedy: `Allow the user to read the field ${field} of the table: it distinguishes pages.`,
    });
  });
}

/** Without permission to compare, the instance ignores the condition and would return the same page for ever. */
function checkAdvance(
  { table, range = {}, keys = ofRecords }: PagedRead,
  key: Cursor,
  cursor: Cursor | undefined,
): void {
  const { from = '', below } = range;
  const [first = ''] = key;
  const isInRange = first >= from && (below === undefined || first < below);
  if (isInRange && (cursor === undefined || isBehind(key, cursor))) return;
  const isSame = cursor !== undefined && key.every((each, index) => each === cursor[index]);
  // Only the instance knows its order of non-hexadecimal keys.
  if (!isSame && ![...key, ...(cursor ?? [])].every(isHex)) return;
  throw ignoredKeys({ table, keys });
}

/** The instance ignores key comparisons. */
export function ignoredKeys({ table, keys = ofRecords }: Pick<PagedRead, 'table' | 'keys'>): SourceError {
  const fields = keys.join(', ');
  return new SourceError(
    'permission-denied',
    `The instance ignores the condition on ${fields} in queries of ${table}.`,
    {
      remedy: `Give the user the query_range right on ${fields} of the table: without it, pages cannot be distinguished.`,
    },
  );
}

function isBehind(key: Cursor, cursor: Cursor): boolean {
  const differs = key.findIndex((each, index) => each !== cursor[index]);
  return differs >= 0 && (key[differs] ?? '') > (cursor[differs] ?? '');
}

function isHex(text: string): boolean {
  return /^[0-9a-f]*$/.test(text);
}
