import { recordsAt, valueAt, type JsonRecord } from '../fetched/json-records.ts';
import type { HttpClient } from '../http/http-client.ts';
import { withRetries, type RetryPolicy } from '../http/with-retries.ts';
import { SourceError } from '../source-error.ts';
import type { Pagination, RestEndpoint } from './config.ts';
import { nextLink } from './link-header.ts';
import { readJsonAnswer } from './read-answer.ts';

export interface RestPage {
  readonly records: readonly JsonRecord[];
  /** Records in all, where the service tells. */
  readonly total?: number;
}

export interface RestReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly retryPolicy: RetryPolicy;
  readonly onWait?: (milliseconds: number, reason: string) => void;
}

/** The address of the first page. */
export function firstPageUrl(baseUrl: URL, endpoint: RestEndpoint): URL {
  const [path = '', query = ''] = endpoint.path.split('?');
  const url = new URL(baseUrl.href);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  for (const [name, value] of Object.entries(endpoint.parameters)) url.searchParams.set(name, value);
  const { pagination } = endpoint;
  if (pagination?.limitParameter !== undefined) {
    url.searchParams.set(pagination.limitParameter, String(pagination.pageSize));
  }
  if (pagination?.style === 'offset') url.searchParams.set(pagination.parameter, '0');
  if (pagination?.style === 'page') url.searchParams.set(pagination.parameter, String(pagination.first));
  return url;
}

/**
 * The records of an endpoint page by page. A short page is not taken for the last one, as services cap page sizes; a
 * service that sends the same page again, or leads in a circle, is an error.
 */
export async function* readRestPages(
  client: HttpClient,
  endpoint: RestEndpoint,
  options: RestReadOptions,
): AsyncGenerator<RestPage, void, undefined> {
  const { pagination } = endpoint;
  const visited = new Set<string>();
  let records = 0;
  let previous = '';
  for (let url: URL | undefined = firstPageUrl(client.baseUrl, endpoint); url;) {
    if (visited.has(url.href)) throw circle(endpoint, `leads back to ${url.pathname}${url.search}`);
    visited.add(url.href);
    const { value, headers } = await getJson(client, url, options);
    const page = recordsAt(value, endpoint.records, endpoint.name);
    const total = totalOf(value, pagination);
    const text = JSON.stringify(page);
    if (page.length > 0 && text === previous) throw circle(endpoint, 'sends the same page again');
    previous = text;
    records += page.length;
    yield { records: page, ...(total !== undefined && { total }) };
    url = nextUrl({ url, page: page.length, records, total, value, link: headers.get('link') }, pagination);
  }
}

interface Answered {
  readonly url: URL;
  /** Records on the page, and so far. */
  readonly page: number;
  readonly records: number;
  readonly total: number | undefined;
  readonly value: unknown;
  readonly link: string | null;
}

function nextUrl(answered: Answered, pagination: Pagination | undefined): URL | undefined {
  const { url, page, records, total, value, link } = answered;
  const withParameter = (name: string, text: string): URL => {
    const next = new URL(url.href);
    next.searchParams.set(name, text);
    return next;
  };
  switch (pagination?.style) {
    case 'offset':
      if (page === 0 || (total !== undefined && records >= total)) return undefined;
      return withParameter(pagination.parameter, String(records));
    case 'page': {
      if (page === 0 || (total !== undefined && records >= total)) return undefined;
      return withParameter(pagination.parameter, String(Number(url.searchParams.get(pagination.parameter)) + 1));
    }
    case 'cursor': {
      const cursor = valueAt(value, pagination.next);
      if (cursor === undefined || cursor === null || cursor === '' || cursor === false) return undefined;
      return withParameter(pagination.parameter, String(cursor as string | number));
    }
    case 'link': {
      const next = nextLink(link);
      return next === undefined ? undefined : new URL(next, url);
    }
    default:
      return undefined;
  }
}

function totalOf(value: unknown, pagination: Pagination | undefined): number | undefined {
  if (!pagination || !('total' in pagination) || pagination.total.length === 0) return undefined;
  const total = Number(valueAt(value, pagination.total) ?? NaN);
  return Number.isInteger(total) && total >= 0 ? total : undefined;
}

async function getJson(client: HttpClient, url: URL, { signal, retryPolicy, onWait }: RestReadOptions) {
  const attempt = async () => {
    const answer = await client.send({ method: 'GET', url, headers: { Accept: 'application/json' }, signal });
    return { value: readJsonAnswer(answer, `GET ${url.pathname}`), headers: answer.headers };
  };
  return withRetries(attempt, { policy: retryPolicy, idempotent: true, signal, onWait });
}

function circle({ name, pagination }: RestEndpoint, what: string): SourceError {
  const remedy =
    pagination?.style === 'link'
      ? 'The service’s Link header cannot be followed: use another style of pagination.'
      : 'Correct parameter and limitParameter in pagination: the service seems to ignore them.';
  return new SourceError('source-failed', `The endpoint ${name} ${what}.`, { remedy });
}
