import type { JsonRecord } from '../fetched/json-records.ts';
import { ListShift } from '../fetched/list-shift.ts';
import type { PagesByPlace } from '../fetched/record-source.ts';
import { SourceError } from '../source-error.ts';
import { answerValue, cursorText, type Answer } from './answer-value.ts';
import { answeredRecords } from './answered-records.ts';
import type { RestEndpoint } from './endpoint.ts';
import { nextLink } from './link-header.ts';
import { linkAddress, nextAddress } from './next-address.ts';
import { firstPosition, pageUrl } from './page-url.ts';
import type { Pagination } from './pagination.ts';

export interface RestPage {
  readonly records: readonly JsonRecord[];
  /** Total number of records, if the service sends it. */
  readonly total?: number | undefined;
}

export interface RestReadOptions {
  /** Every record is needed exactly once: inconsistent pages give a `ListShift`. */
  readonly isWhole?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** ISO 8601, UTC: start time, for endpoints with a parameter for it. */
  readonly since?: string | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/** Requests a page as JSON. Rejects with a `SourceError`. */
export type GetPage = (url: URL, options: Pick<RestReadOptions, 'signal' | 'onWait'>) => Promise<Answer>;

/** Request function and settings. */
export interface PageSource {
  readonly baseUrl: URL;
  readonly get: GetPage;
}

/**
 * The records of an endpoint, page by page. A short page need not be the last one, because services limit page sizes;
 * repeated pages and loops are errors.
 */
export async function* readRestPages(
  source: PageSource,
  endpoint: RestEndpoint,
  options: RestReadOptions,
): AsyncGenerator<RestPage, void, undefined> {
  const { pagination } = endpoint;
  const visited = new Set<string>();
  let records = 0;
  let previous = '';
  /** The last records of the previous page, expected again. */
  let joint: readonly string[] = [];
  let position = firstPosition(pagination);
  const urlAt = (at: string | undefined): URL =>
    pageUrl(source.baseUrl, endpoint, { position: at, since: options.since });
  for (let url: URL | undefined = urlAt(position); url;) {
    if (visited.has(url.href)) throw circle(endpoint, `leads back to a page of ${url.pathname} that was read before`);
    visited.add(url.href);
    const answer: Answer = await source.get(url, options);
    const whole = answeredRecords(answer.value, endpoint);
    const total = totalOf(answer, pagination);
    const text = JSON.stringify(whole);
    if (whole.length > 0 && text === previous) throw repeated(endpoint, options);
    previous = text;
    if (options.isWhole && !joins(whole, joint, endpoint)) throw notJoined(endpoint);
    const page = whole.slice(joint.length);
    records += page.length;
    joint = jointOf(whole, endpoint);
    yield { records: page, total };
    if (pagination?.style === 'link') {
      const next = nextLink(answer.headers.get('link'), url);
      url = next === undefined ? undefined : linkAddress(next, url, endpoint.name);
      continue;
    }
    const isEnd = page.length === 0 || (total !== undefined && records >= total);
    position = nextPosition({ position, isEnd, records: records - joint.length, answer }, endpoint);
    url = position === undefined ? undefined : (followed(position, url, endpoint) ?? urlAt(position));
  }
}

interface Answered {
  readonly position: string | undefined;
  /** Whether the records indicate the last page. */
  readonly isEnd: boolean;
  /** Number of records so far, without overlapping ones. */
  readonly records: number;
  readonly answer: Answer;
}

/** Position of the next page; undefined at the end. */
function nextPosition(
  { position, isEnd, records, answer }: Answered,
  { name, pagination }: RestEndpoint,
): string | undefined {
  switch (pagination?.style) {
    case 'offset':
      return isEnd ? undefined : String(records);
    case 'page':
      return isEnd ? undefined : String(Number(position) + 1);
    case 'cursor': {
      const cursor = answerValue(answer, pagination.next);
      if (cursor === undefined || cursor === null || cursor === '' || cursor === false) return undefined;
      return cursorText(cursor, pagination.next, name);
    }
    default:
      return undefined;
  }
}

/** The overlap with the next page; always smaller than the page. */
function jointOf(page: readonly JsonRecord[], endpoint: RestEndpoint): readonly string[] {
  const overlap = endpoint.pagination?.style === 'offset' ? endpoint.pagination.overlap : 0;
  const length = Math.min(overlap, Math.max(0, page.length - 1));
  return page.slice(page.length - length).map((record) => identityOf(record, endpoint));
}

/** Whether a page starts with the expected overlap. */
function joins(page: readonly JsonRecord[], joint: readonly string[], endpoint: RestEndpoint): boolean {
  return joint.every((identity, index) => {
    const record = page[index];
    return record !== undefined && identityOf(record, endpoint) === identity;
  });
}

/** Identity of a record, also after changes: its key, if it has one. */
function identityOf(record: JsonRecord, { key }: RestEndpoint): string {
  return JSON.stringify(key.length === 0 ? record : key.map((name) => record[name]));
}

/** Some services return the address of the next page as cursor. */
function followed(cursor: string, from: URL, { pagination }: RestEndpoint): URL | undefined {
  return pagination?.style === 'cursor' ? nextAddress(cursor, from) : undefined;
}

function totalOf(answer: Answer, pagination: Pagination | undefined): number | undefined {
  if (!pagination || !('total' in pagination) || pagination.total.length === 0) return undefined;
  const total = Number(answerValue(answer, pagination.total) ?? NaN);
  return Number.isInteger(total) && total >= 0 ? total : undefined;
}

function circle({ name, pagination }: RestEndpoint, what: string): SourceError {
  return new SourceError('source-failed', `The endpoint ${name} ${what}.`, { remedy: circleRemedy(pagination) });
}

function circleRemedy(pagination: Pagination | undefined): string {
  return pagination?.style === 'link'
    ? 'The service’s Link header cannot be followed: use another style of pagination.'
    : 'Correct parameter and limitParameter in pagination: the service seems to ignore them.';
}

/** The list may have grown by a page at its start; then another attempt helps. */
function repeated(endpoint: RestEndpoint, { isWhole = false }: RestReadOptions): SourceError {
  const what = 'sends the same page again';
  if (!isWhole || !pagesByPlace(endpoint)) return circle(endpoint, what);
  return new ListShift(`The endpoint ${endpoint.name} ${what}.`, 'source-failed', circleRemedy(endpoint.pagination));
}

function notJoined({ name }: RestEndpoint): ListShift {
  return new ListShift(
    `The list of ${name} changed while it was read: one of its pages does not begin where the one before ended.`,
  );
}

/** The offset-like pagination of an endpoint, if it has one. */
export function pagesByPlace({ pagination }: RestEndpoint): PagesByPlace | undefined {
  if (pagination?.style === 'page') return { areJoined: false };
  return pagination?.style === 'offset' ? { areJoined: pagination.overlap > 0 } : undefined;
}
