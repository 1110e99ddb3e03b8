import { AnswerTooLarge } from '../http/answer-too-large.ts';
import { SourceError, isSourceError } from '../source-error.ts';
import type { CallOptions } from './call-platform.ts';
import { fieldText } from './field-text.ts';
import type { DisplayValue, TableParameters } from './parameters.ts';
import { pageSize, type PageSize } from './page-size.ts';
import { TransactionCancelled } from './platform-failure.ts';
import type { RegularPage } from './regular-page.ts';
import type { ListOptions, PlatformRecord, TableApi, TablePage } from './table-api.ts';

/** Records of a table to be read to the last one. */
export interface PagedRead {
  readonly table: string;
  /** Encoded queries without order, of which a record meets one; empty for all. */
  readonly branches: readonly string[];
  /** `sys_id` is always among them. */
  readonly fields: readonly string[];
  readonly displayValue: DisplayValue;
  /** Records asked for at once, at most. */
  readonly pageSize: number;
  /** How many of them, where that is known better; learnt from the pages when not given. */
  readonly sizes?: PageSize;
  /** Encoded conditions that hold for every branch. */
  readonly conditions?: readonly string[];
  /** Only records whose `sys_id` is in it. */
  readonly range?: KeyRange;
  /** About how many records there are, once that is known; pages near the end are counted then. */
  readonly expected?: () => number | undefined;
  /** Hears that all pages have arrived, before the records of the last one are taken. */
  readonly onEnd?: () => void;
  /** Counts records that meet these conditions, whatever the user may read; undefined when nobody says. */
  readonly count?: (conditions: readonly string[]) => Promise<number | undefined>;
}

/** Records, of which there is at least one. */
export interface PageRecords {
  readonly keys: readonly string[];
  /** None where the page is regular. */
  readonly records: readonly PlatformRecord[];
  readonly regular?: RegularPage;
}

/** What pages tell of their completeness. */
export interface PageFindings {
  /** A page had fewer records than the instance said it selects, twice in a row: the user may not read the others. */
  isHiding: boolean;
  /** The instance did not count a page that was to be counted. */
  isUncounted: boolean;
}

/** Half-open; an end that is not given is open. */
export interface KeyRange {
  readonly from?: string;
  readonly below?: string;
}

/** In a row: each may take minutes until the instance gives up. */
const mostHalvings = 10;

/** Characters: nobody says how long an address may be, so all fields are asked for rather than very many by name. */
const longestFieldList = 3000;

/** The part of the expected records from which on a page may be the last one: ranges are not equally full. */
const nearEnd = 0.95;

/**
 * The records page by page, in the order of their `sys_id`: each page starts behind the last record of the one before,
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
  let cursor: string | undefined;
  /** Records behind the cursor that are known to be hidden from the user. */
  let hidden = 0;
  /** Records behind the cursor, hidden ones too, where the count of a page may leave them out. */
  let behind: number | undefined;
  const { sizes = pageSize({ most: read.pageSize }) } = read;
  let hiding: 'unknown' | 'suspected' | 'known' = 'unknown';
  let halvings = 0;
  let sent = 0;
  // Counting costs the instance time, so only pages that may be the last one are counted.
  let counted = true;
  for (;;) {
    const limit = sizes.next();
    const started = performance.now();
    const place = { limit, ...(cursor !== undefined && { cursor }), offset: hidden, counted };
    let page;
    try {
      page = await api.list(read.table, pageParameters(read, place), options);
    } catch (error) {
      if (!tookTooLong(error) || (halvings += 1) > mostHalvings) throw error;
      sizes.tookTooLong(limit);
      continue;
    }
    halvings = 0;
    sizes.arrived({ asked: limit, bytes: page.size, milliseconds: performance.now() - started });
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
    const keys = regular?.keys ?? records.map((record) => keyOf(read, record));
    for (const key of keys) checkAdvance(read, key, cursor);
    const mayBeLast = counted && isLast(page, found, hidden, limit);
    const isEnd = mayBeLast && (found > 0 || !page.totalCount);
    if (isEnd) read.onEnd?.();
    if (found > 0) yield { keys, records, ...(regular && { regular }) };
    if (isEnd) return;
    if (mayBeLast) {
      // Counts that leave hidden records out say nothing of how far to step: a count of them all does.
      behind ??= (await read.count?.([...(read.conditions ?? []), ...keyConditions(read, cursor)])) ?? 0;
      if (behind <= hidden + limit) {
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

/** Parameters of one page, as Show Query prints them too. */
export function pageParameters(
  read: PagedRead,
  place: { readonly limit: number; readonly cursor?: string; readonly offset?: number; readonly counted?: boolean },
): TableParameters {
  const fields = namedFields(read);
  const conditions = [...(read.conditions ?? []), ...keyConditions(read, place.cursor)];
  return {
    query: [...joined(read.branches, conditions), 'ORDERBYsys_id'].join('^'),
    ...(fields && { fields }),
    limit: place.limit,
    ...(place.offset && { offset: place.offset }),
    displayValue: read.displayValue,
    excludeReferenceLink: true,
    ...(!place.counted && { noCount: true }),
    suppressPaginationHeader: true,
  };
}

/** The fields that are asked for by name; undefined when all there are come. */
export function namedFields({ fields }: Pick<PagedRead, 'fields'>): readonly string[] | undefined {
  const names = [...new Set(['sys_id', ...fields])];
  // What is behind a reference comes only by name.
  const isNamed = names.join(',').length <= longestFieldList || names.some((field) => field.includes('.'));
  return isNamed ? names : undefined;
}

/** Encoded conditions that hold for the range of keys, or what of it is behind the cursor. */
export function keyConditions({ range = {} }: Pick<PagedRead, 'range'>, cursor?: string): readonly string[] {
  const { from, below } = range;
  return [
    ...(cursor !== undefined ? [`sys_id>${cursor}`] : from !== undefined ? [`sys_id>=${from}`] : []),
    ...(below !== undefined ? [`sys_id<${below}`] : []),
  ];
}

/** One query for all branches, each of which has to repeat the conditions that hold for all. */
export function joined(branches: readonly string[], conditions: readonly string[]): readonly string[] {
  if (branches.length === 0) return conditions;
  return [branches.map((branch) => [branch, ...conditions].join('^')).join('^NQ')];
}

/** The `sys_id` of a record. Throws `permission-denied` for one without it. */
export function keyOf({ table }: Pick<PagedRead, 'table'>, record: PlatformRecord): string {
  const key = fieldText(record['sys_id']);
  if (key !== '') return key;
  throw new SourceError('permission-denied', `The instance gives no sys_id for records of ${table}.`, {
    remedy: 'Allow the user to read the field sys_id of the table: pages are told apart by it.',
  });
}

/** Without the right to compare, the instance leaves that part of the query out and would send one page for ever. */
function checkAdvance({ table, range = {} }: PagedRead, key: string, cursor: string | undefined): void {
  const { from = '', below } = range;
  if (key >= from && (below === undefined || key < below) && (cursor === undefined || key > cursor)) return;
  // Only the instance knows how it orders keys that are no hexadecimal numbers.
  if (key !== cursor && !(isHex(key) && isHex(cursor ?? ''))) return;
  throw new SourceError('permission-denied', `The instance ignores the condition on sys_id in queries of ${table}.`, {
    remedy: 'Give the user the query_range right on sys_id of the table: without it, pages cannot be told apart.',
  });
}

function isHex(text: string): boolean {
  return /^[0-9a-f]*$/.test(text);
}

/** Whether a smaller page may succeed. */
export function tookTooLong(error: unknown): boolean {
  if (error instanceof TransactionCancelled || error instanceof AnswerTooLarge) return true;
  return isSourceError(error) && error.code === 'statement-timeout';
}
