import { SourceError } from '../../source-error.ts';
import { askPage } from './ask-page.ts';
import type { CallOptions } from '../api/call-platform.ts';
import { fieldText } from '../api/field-text.ts';
import { keyConditions, ofRecords, pageParameters, type Cursor, type PagedRead } from './page-parameters.ts';
import { pageSize } from './page-size.ts';
import type { RegularPage } from './regular-page.ts';
import type { ListOptions, PlatformRecord, TableApi, TablePage } from '../api/table-api.ts';

/** Records, of which there is at least one. */
export interface PageRecords {
  /** The first of the keys of each. */
  readonly keys: readonly string[];
  /** None where the page is regular. */
  readonly records: readonly PlatformRecord[];
  readonly regular?: RegularPage;
  /** Clock of the instance when it answered, milliseconds since the epoch. */
  readonly now: number;
}

/** What pages tell of their completeness. */
export interface PageFindings {
  /** A page had fewer records than the instance said it selects, twice in a row: the user may not read the others. */
  isHiding: boolean;
  /** The instance did not count a page that was to be counted, or what is behind one. */
  isUncounted: boolean;
}

/** The part of the expected records from which on a page may be the last one: ranges are not equally full. */
const nearEnd = 0.95;

/**
 * The records page by page, in the order of their keys: each page starts behind the last record of the one before,
 * so that rows which come and go meanwhile neither repeat nor lose others. Pages of records that the user may not read
 * are stepped over; `findings` tell when there are such records. Pages that take the instance too long are asked for again
 * with fewer records.
 */
export async function* readPages(
  api: TableApi,
  read: PagedRead,
  options: CallOptions,
  findings?: PageFindings,
): AsyncGenerator<readonly PlatformRecord[], void, undefined> {
  for await (const { records } of readPagesAsSent(api, read, options, findings)) yield records;
}

/** As `readPages`; those that need not be read are told as they were sent, where the options say which these are. */
export async function* readPagesAsSent(
  api: TableApi,
  read: PagedRead,
  options: ListOptions,
  findings?: PageFindings,
): AsyncGenerator<PageRecords, void, undefined> {
  let cursor: Cursor | undefined;
  /** Records behind the cursor that are known to be hidden from the user. */
  let hidden = 0;
  /** Records behind the cursor, hidden ones too, where the count of a page may leave them out. */
  let behind: number | undefined;
  const { sizes = pageSize({ most: read.pageSize }) } = read;
  let hiding: 'unknown' | 'suspected' | 'known' = 'unknown';
  let sent = 0;
  // Counting costs the instance time, so only pages that may be the last one are counted.
  let counted = true;
  for (;;) {
    const place = { ...(cursor !== undefined && { cursor }), offset: hidden, counted };
    const { page, limit } = await askPage(sizes, (limit) =>
      api.list(read.table, pageParameters(read, { ...place, limit }), options),
    );
    const { regular } = page;
    const records = page.records.filter(hasFields);
    const found = regular?.records ?? records.length;
    // A short page is the last one, or hides records: its count tells.
    if (!counted && found < limit) {
      counted = true;
      continue;
    }
    if (counted && page.totalCount === undefined && findings) findings.isUncounted = true;
    const isShort = page.totalCount !== undefined && found < Math.min(limit, page.totalCount - hidden);
    // A record that comes or goes between count and page looks like a hidden one, once.
    if (isShort && hiding !== 'known') {
      hiding = hiding === 'suspected' ? 'known' : 'suspected';
      if (hiding === 'suspected') continue;
      if (findings) findings.isHiding = true;
    } else if (!isShort && hiding === 'suspected') hiding = 'unknown';
    const keys = regular?.keys.map((key) => [key]) ?? records.map((record) => keysOf(read, record));
    for (const key of keys) checkAdvance(read, key, cursor);
    const mayBeLast = counted && isLast(page, found, hidden, limit);
    const isEnd = mayBeLast && (found > 0 || !page.totalCount);
    if (isEnd) read.onEnd?.();
    const firstKeys = regular?.keys ?? keys.map(([first = '']) => first);
    if (found > 0) yield { keys: firstKeys, records, now: page.now, ...(regular && { regular }) };
    if (isEnd) return;
    if (mayBeLast) {
      // Counts that leave hidden records out say nothing of how far to step: a count of them all does.
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

/** Records that the user may not read may come as empty ones. */
function hasFields(record: PlatformRecord): boolean {
  for (const _ in record) return true;
  return false;
}

/** Whether nothing is left behind a counted page: the count is that of records behind the cursor, hidden ones too. */
function isLast({ totalCount }: TablePage, records: number, hidden: number, limit: number): boolean {
  if (totalCount === undefined) return records === 0;
  return records >= totalCount || (records === 0 && totalCount <= hidden + limit);
}

/** The keys of a record. Throws `permission-denied` for one that lacks one of them. */
export function keysOf({ table, keys = ofRecords }: PagedRead, record: PlatformRecord): Cursor {
  return keys.map((field) => {
    const key = fieldText(record[field]);
    if (key !== '') return key;
    throw new SourceError('permission-denied', `The instance gives no ${field} for records of ${table}.`, {
      remedy: `Allow the user to read the field ${field} of the table: pages are told apart by it.`,
    });
  });
}

/** Without the right to compare, the instance leaves that part of the query out and would send one page for ever. */
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
  // Only the instance knows how it orders keys that are no hexadecimal numbers.
  if (!isSame && ![...key, ...(cursor ?? [])].every(isHex)) return;
  throw ignoredKeys({ table, keys });
}

/** The instance takes no notice of a comparison of keys. */
export function ignoredKeys({ table, keys = ofRecords }: Pick<PagedRead, 'table' | 'keys'>): SourceError {
  const fields = keys.join(', ');
  return new SourceError(
    'permission-denied',
    `The instance ignores the condition on ${fields} in queries of ${table}.`,
    {
      remedy: `Give the user the query_range right on ${fields} of the table: without it, pages cannot be told apart.`,
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
