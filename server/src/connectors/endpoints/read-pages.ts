import { type JsonRecord, valueAt } from '../fetched/json-records.ts';
import { ListShift } from '../fetched/list-shift.ts';
import type { PagesByPlace } from '../fetched/record-source.ts';
import { isSourceError, SourceError } from '../source-error.ts';
import { answerSigns, type AnswerSigns, endsList, readTotal, saysLast, type Total } from './answer-signs.ts';
import { answerValue, cursorText, type Answer } from './answer-value.ts';
import { answeredRecords } from './answered-records.ts';
import type { RestEndpoint } from './endpoint.ts';
import { judgeEnd, tellsOfEnd } from './judge-end.ts';
import { nextLink } from './link-header.ts';
import { linkAddress, nextAddress } from './next-address.ts';
import { firstPosition, pageUrl } from './page-url.ts';
import type { Pagination } from './pagination.ts';
import { hasPlaceholder } from './parameter-template.ts';

export interface RestPage {
  readonly records: readonly JsonRecord[];
  /** Total number of records, if the service sends it. */
  readonly total?: number | undefined;
  /** Of the last page: why there may be further records. An error is thrown after the page. */
  readonly doubt?: SourceError | string | undefined;
}

interface RestReadOptions {
  /** Every record is needed exactly once: inconsistent pages give a `ListShift`. */
  readonly isWhole?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** ISO 8601, UTC: start time, for endpoints with a parameter for it. */
  readonly since?: string | undefined;
  readonly onWait?: ((milliseconds: number, reason: string) => void) | undefined;
}

/** Requests a page; its value is null without content. Rejects with a `SourceError`, with the status of a refusal. */
type GetPage = (url: URL, options: Pick<RestReadOptions, 'signal' | 'onWait'>) => Promise<Answer>;

/** Request function and settings. */
export interface PageSource {
  readonly baseUrl: URL;
  readonly get: GetPage;
}

/** The read so far. */
interface Progress {
  readonly position: string | undefined;
  /** Number of records, without overlapping and repeated ones. */
  readonly records: number;
  /** Number of answers. */
  readonly answers: number;
  /** Number of pages with records, without repeated ones. */
  readonly pages: number;
  /** Length of the last page, with overlapping records. */
  readonly length: number;
  /** Number of records of the last page that are expected again. */
  readonly joint: number;
  /** Whether a page differed from the one before, so that the service supports the position. */
  readonly hasMoved: boolean;
  /** Number of times that the last page came again. */
  readonly repeats: number;
  /** Number of answers without records since the last one with some. */
  readonly empty: number;
  readonly signs: AnswerSigns;
  /** The total of the settings, if the last answer has it. */
  readonly total: Total | undefined;
  /** The total of the settings in the last answer that had it. */
  readonly told: Total | undefined;
  readonly isCursorEmpty: boolean;
}

/**
 * The records of an endpoint, page by page. A short page need not be the last one, because services limit page sizes;
 * pages that never differ, and loops, are errors, and so is an end where the service tells of more (`judgeEnd`).
 */
export async function* readRestPages(
  source: PageSource,
  endpoint: RestEndpoint,
  options: RestReadOptions,
): AsyncGenerator<RestPage, void, undefined> {
  const { pagination } = endpoint;
  const { isWhole = false } = options;
  const visited = new Set<string>();
  let previous = '';
  /** The last records of the previous page, expected again. */
  let joint: readonly string[] = [];
  let progress: Progress | undefined;
  const urlAt = (at: string | undefined): URL =>
    pageUrl(source.baseUrl, endpoint, { position: at, since: options.since });
  for (let url: URL | undefined = urlAt(firstPosition(pagination)); url;) {
    if (visited.has(url.href)) throw circle(endpoint, `leads back to a page of ${url.pathname} that was read before`);
    visited.add(url.href);
    const answer: Answer | undefined = await source.get(url, options).catch((error: unknown) => {
      if (progress && isBeyondEnd(error, endpoint, progress)) return undefined;
      throw error;
    });
    if (!answer) return;
    const before: Progress = progress ?? nothingRead(firstPosition(pagination));
    const whole = recordsOf(answer.value, endpoint);
    const text = JSON.stringify(whole);
    const isRepeated = whole.length > 0 && text === previous;
    // Services repeat their last page beyond the end, but a list that grows by a page repeats one, too.
    const isEndless = isRepeated && ((!before.hasMoved && !tellsOfEnd(before)) || !areDistinct(whole, endpoint));
    if (isEndless || (before.repeats > 0 && !isRepeated)) throw repeated(endpoint, options);
    if (isWhole && !isRepeated && !joins(whole, joint, endpoint)) throw notJoined(endpoint);
    previous = text;
    const page = isRepeated ? [] : whole.slice(joint.length);
    joint = jointOf(whole, endpoint);
    const total = configuredTotal(answer, pagination);
    const signs = answerSigns(answer.value, answer.headers, endpoint.records, url);
    const now: Progress = {
      position: before.position,
      records: before.records + page.length,
      answers: before.answers + 1,
      pages: before.pages + (page.length > 0 ? 1 : 0),
      length: whole.length,
      joint: joint.length,
      hasMoved: before.hasMoved || (before.pages > 0 && whole.length > 0 && !isRepeated),
      repeats: isRepeated ? before.repeats + 1 : 0,
      empty: whole.length === 0 ? before.empty + 1 : 0,
      // Some services tell the total on the first page only.
      signs: { ...signs, total: signs.total ?? before.signs.total },
      total,
      told: total ?? before.told,
      isCursorEmpty: isCursorEmpty(answer, pagination),
    };
    if (now.empty >= maxEmptyPages) throw circle(endpoint, `sends one page without records after the other`);
    const next = nextPosition(now, before, answer, endpoint);
    progress = { ...now, position: next };
    if (pagination?.style === 'link') url = now.repeats > 1 ? undefined : linkedPage(answer, url, endpoint);
    else url = next === undefined ? undefined : (followed(next, url, endpoint) ?? urlAt(next));
    const doubt = url ? undefined : judgeEnd(endpoint, { ...now, total: now.told, isWhole });
    yield { records: page, total: now.total?.count, doubt };
    if (isSourceError(doubt)) throw doubt;
  }
}

/** Records without keys may be equal by nature, and so may their pages. */
function areDistinct(records: readonly JsonRecord[], { key }: RestEndpoint): boolean {
  if (key.length > 0) return true;
  return records.length > 1 && new Set(records.map((record) => JSON.stringify(record))).size === records.length;
}

/** Services that filter after paging send some pages without records; beyond this number, there is no end. */
const maxEmptyPages = 1000;

function nothingRead(position: string | undefined): Progress {
  return {
    position,
    records: 0,
    answers: 0,
    pages: 0,
    length: 0,
    joint: 0,
    hasMoved: false,
    repeats: 0,
    empty: 0,
    signs: answerSigns(undefined, { get: () => null }, []),
    total: undefined,
    told: undefined,
    isCursorEmpty: false,
  };
}

/** Services send no content, or `null`, for an empty list. */
function recordsOf(value: unknown, endpoint: RestEndpoint): readonly JsonRecord[] {
  const isEmpty = value === null || valueAt(value, endpoint.records) === null;
  return isEmpty ? [] : answeredRecords(value, endpoint);
}

/** Position of the next page; undefined at the end. */
function nextPosition(now: Progress, before: Progress, answer: Answer, endpoint: RestEndpoint): string | undefined {
  const { pagination } = endpoint;
  const isLast =
    now.repeats > 1 ||
    (now.repeats === 1 && tellsOfEnd(now)) ||
    (now.repeats === 0 && now.records === before.records) ||
    (isTotalRead(now) && !isExceeded(now) && !isFull(now, before, endpoint));
  switch (pagination?.style) {
    case 'offset':
      return isLast ? undefined : String(now.records - now.joint + now.repeats * now.length);
    case 'page':
      return isLast ? undefined : String(Number(now.position) + 1);
    case 'cursor': {
      const cursor = answerValue(answer, pagination.next);
      if (now.repeats > 1 || saysLast(now.signs) || endsList(cursor)) return undefined;
      const text = cursorText(cursor, pagination.next, endpoint.name);
      return now.length === 0 && text === now.position ? undefined : text;
    }
    default:
      return undefined;
  }
}

/** A lower bound does not end a list. */
function isTotalRead({ total, records }: Pick<Progress, 'total' | 'records'>): boolean {
  return total !== undefined && !total.isLowerBound && records >= total.count;
}

/** Ignores a total below the number of records: services that do not count send 0. */
function isExceeded({ total, records }: Pick<Progress, 'total' | 'records'>): boolean {
  return total !== undefined && records > total.count;
}

/** A full page is followed by one more request: some totals are lower bounds without telling. */
function isFull(now: Progress, before: Progress, { pagination, parameters }: RestEndpoint): boolean {
  if (before.pages > 0) return now.length >= before.length;
  const isSent = pagination?.limitParameter !== undefined || hasPlaceholder(parameters, 'pageSize');
  return isSent && now.length >= (pagination?.pageSize ?? Infinity);
}

/** Whether a refusal means that a page is beyond the last one, and the service tells of no further records. */
function isBeyondEnd(error: unknown, endpoint: RestEndpoint, progress: Progress): boolean {
  if (!isSourceError(error) || !pagesByPlace(endpoint)) return false;
  if (progress.pages === 0 || progress.repeats > 0) return false;
  const { told, records } = progress;
  // All records were read: the request was a precaution.
  if (isTotalRead(progress)) return true;
  if (![404, 416].includes(error.details.status ?? 0) || (told && told.count > records)) return false;
  return !isSourceError(judgeEnd(endpoint, { ...progress, total: progress.told, isWhole: false }));
}

function linkedPage({ headers }: Answer, url: URL, { name }: RestEndpoint): URL | undefined {
  const next = nextLink(headers.get('link'), url);
  return next === undefined ? undefined : linkAddress(next, url, name);
}

/** Whether the configured cursor is in the answer, with a value that ends the list. */
function isCursorEmpty(answer: Answer, pagination: Pagination | undefined): boolean {
  if (pagination?.style !== 'cursor') return false;
  const cursor = answerValue(answer, pagination.next);
  return cursor !== undefined && endsList(cursor);
}

function configuredTotal(answer: Answer, pagination: Pagination | undefined): Total | undefined {
  if (!pagination || pagination.total.length === 0) return undefined;
  return readTotal(answerValue(answer, pagination.total), valueAt(answer.value, pagination.total.slice(0, -1)));
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
