import type { RestEndpoint } from './endpoint.ts';
import type { Pagination } from './pagination.ts';
import { filledTemplate, valuesOf, type RequestPlace } from './parameter-template.ts';

/** The address of a page, with its parameters. */
export function pageUrl(baseUrl: URL, endpoint: RestEndpoint, place: RequestPlace): URL {
  const [path, query] = pathAndQuery(endpoint.path);
  const { pagination, parameters } = endpoint;
  const url = new URL(baseUrl.href);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  for (const [name, value] of new URLSearchParams(query)) url.searchParams.append(name, value);
  for (const [name, templates] of Object.entries(parameters)) {
    const values = valuesOf(templates).flatMap((each) => filledTemplate(each, pagination, place) ?? []);
    if (values.length > 0) url.searchParams.delete(name);
    for (const value of values) url.searchParams.append(name, value);
  }
  if (pagination?.limitParameter !== undefined) {
    url.searchParams.set(pagination.limitParameter, String(pagination.pageSize));
  }
  if (pagination && 'parameter' in pagination && pagination.parameter !== undefined && place.position !== undefined) {
    url.searchParams.set(pagination.parameter, place.position);
  }
  return url;
}

/** The parts before and after the first question mark: a query may have further ones (RFC 3986, section 3.4). */
export function pathAndQuery(path: string): readonly [path: string, query: string] {
  const [, bare = '', query = ''] = /^([^?]*)\??([^]*)$/.exec(path) ?? [];
  return [bare, query];
}

/** Position of the first page; none for cursor and link. */
export function firstPosition(pagination: Pagination | undefined): string | undefined {
  if (pagination?.style === 'offset') return '0';
  return pagination?.style === 'page' ? String(pagination.first) : undefined;
}
