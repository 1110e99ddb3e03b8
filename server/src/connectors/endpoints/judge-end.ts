import { ListShift } from '../fetched/list-shift.ts';
import { SourceError } from '../source-error.ts';
import { type AnswerSigns, type Total, isCountOfAnswer, saysLast } from './answer-signs.ts';
import type { RestEndpoint } from './endpoint.ts';
import { pathAndQuery } from './page-url.ts';
import type { Pagination } from './pagination.ts';
import { limitNames, plainName } from './paging-names.ts';
import { hasPlaceholder, valuesOf } from './parameter-template.ts';
import { pagingYaml, proposePagination } from './propose-pagination.ts';

/** How the read of a list ended. */
interface ListEnd {
  readonly signs: AnswerSigns;
  /** The total that the settings name, if an answer had it. */
  readonly total: Total | undefined;
  /** Number of records, without repeated ones. */
  readonly records: number;
  /** Number of answers, also empty and repeated ones: after several, paging was seen to work. */
  readonly answers: number;
  /** Number of pages with records, without repeated ones. */
  readonly pages: number;
  /** The answer has the configured cursor, with a value that ends the list. */
  readonly isCursorEmpty: boolean;
  /** A preview is not read again when the list changes. */
  readonly isWhole: boolean;
}

/**
 * Why a list may have further records than its settings lead to: an error if the service tells of more, or if the only
 * page is as long as a known page size; a warning if it only has the length of usual pages. Undefined if neither, and
 * for `pagination: none`.
 */
export function judgeEnd(endpoint: RestEndpoint, end: ListEnd): SourceError | string | undefined {
  const style = endpoint.pagination?.style;
  if (style === 'none') return undefined;
  const about = `The endpoint ${endpoint.name} `;
  const told = tellsOfMore(endpoint, end);
  if (told !== undefined) {
    return unclear(endpoint, end, `${about}has more records than the ${end.records} that were read: ${told}.`);
  }
  // An empty page has ended a list by offset or page number.
  if (pagesByNumber(style) || end.answers > 1 || tellsOfEnd(end)) return undefined;
  const answers = `${about}answers with exactly ${end.records} records`;
  if (knownSizes(endpoint, end).includes(end.records)) {
    return unclear(endpoint, end, `${answers}, the size of a page, and does not tell whether there are more.`);
  }
  return usualSizes.has(end.records) ? `${answers} and may have more. ${remedyFor(endpoint, end)}` : undefined;
}

function pagesByNumber(style: Pagination['style'] | undefined): boolean {
  return style === 'offset' || style === 'page';
}

/** Whether the end of a list is known from the answer. */
export function tellsOfEnd({ signs, records, pages, isCursorEmpty, total }: Omit<ListEnd, 'isWhole'>): boolean {
  const { hasMore, isWithoutNext, pages: all } = signs;
  const known = total ?? (signs.total && !isCountOfAnswer(signs.total) ? signs.total.value : undefined);
  return (
    isCursorEmpty ||
    hasMore?.value === false ||
    (isWithoutNext && hasMore === undefined) ||
    (known !== undefined && !known.isLowerBound && known.count <= records) ||
    (all !== undefined && all.value <= pages)
  );
}

function tellsOfMore({ pagination }: RestEndpoint, end: ListEnd): string | undefined {
  const { signs, records, answers, pages, isCursorEmpty } = end;
  const isByPlace = pagesByNumber(pagination?.style);
  // Lists by offset or page number are compared with a configured total after the read.
  if (isByPlace && end.total) return undefined;
  // The settings name the total, so that no other field counts.
  if (end.total && !end.total.isLowerBound && end.total.count <= records) return undefined;
  const total = end.total ?? signs.total?.value;
  if (total && total.count > records) {
    const place = end.total ? 'the total in its answer' : signs.total?.place;
    return `${place} is ${total.count}`;
  }
  if (signs.hasMore?.value === true) return `${signs.hasMore.place} says so`;
  if (signs.pages && signs.pages.value > pages && pages > 0) return `${signs.pages.place} is ${signs.pages.value}`;
  // Other fields are not taken for a cursor once paging has worked, or if the configured cursor is empty.
  const isFollowed = isByPlace || isCursorEmpty || (pagination !== undefined && answers > 1);
  if (!signs.next || saysLast(signs) || isFollowed) return undefined;
  return `${signs.next.place} leads to a further page`;
}

/** Sizes of a page by the settings, the request, the OpenAPI document and the answer. */
function knownSizes({ pagination, parameters, path, usualSize }: RestEndpoint, { signs }: ListEnd): readonly number[] {
  const isSent = pagination?.limitParameter !== undefined || hasPlaceholder(parameters, 'pageSize');
  const sent = sentParameters({ parameters, path });
  const limits = sent.filter(([name]) => limitNames.includes(plainName(name))).map(([, value]) => Number(value));
  return [
    ...(pagination && (isSent || pagination.isSizeGiven === true) ? [pagination.pageSize] : []),
    ...limits,
    ...(usualSize === undefined ? [] : [usualSize]),
    ...(signs.size === undefined ? [] : [signs.size]),
  ].filter((size) => size > 0);
}

/** Default sizes of pages. */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200, 250, 500, 1000]);

function unclear(endpoint: RestEndpoint, end: ListEnd, message: string): SourceError {
  const remedy = remedyFor(endpoint, end);
  // The list may have changed while it was read; then another attempt helps.
  if (pagesByNumber(endpoint.pagination?.style) && end.isWhole) return new ListShift(message, 'paging-unclear', remedy);
  return new SourceError('paging-unclear', message, { remedy });
}

function remedyFor(endpoint: RestEndpoint, { signs, answers }: ListEnd): string {
  const { pagination } = endpoint;
  if (pagesByNumber(pagination?.style) || answers > 1) {
    const isAfterZero = pagination?.style === 'page' && pagination.first > 0;
    const first = isAfterZero ? ' (first: 0 if the service counts its pages from 0)' : '';
    return `Correct the pagination of the endpoint${first}; if its records are all, name the right number of records in total.`;
  }
  const { settings, isGuess } = proposePagination(sentParameters(endpoint), signs);
  const such = isGuess ? ', for example' : '';
  return `Write in the endpoint${such}: ${pagingYaml(settings)} – or, if these records are all: pagination: none.`;
}

function sentParameters({ parameters, path }: Pick<RestEndpoint, 'parameters' | 'path'>): [string, string][] {
  const own = Object.entries(parameters).flatMap(([name, value]) =>
    valuesOf(value).map((each): [string, string] => [name, each]),
  );
  return [...new URLSearchParams(pathAndQuery(path)[1]), ...own];
}
