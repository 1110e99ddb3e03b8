import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A REST interface that lists orders as a known service does. */
export interface PagingStyle {
  readonly name: string;
  /** The right settings; `next` names a cursor. */
  readonly settings: { readonly records?: string; readonly pagination: Readonly<Record<string, unknown>> };
  /** Where a requested page begins: a number of orders. */
  readonly start: (query: URLSearchParams) => number;
  /** The answer with these orders. */
  readonly answer: (page: Page) => StyledAnswer;
  /** Whether the next page is by the place in the list, by a value of the answer, or by the header `Link`. */
  readonly kind: 'place' | 'cursor' | 'link';
  /** How the answers tell of more than they contain, besides by the next cursor. */
  readonly tells: 'count' | 'flag' | 'nothing';
}

export interface Page {
  readonly orders: readonly unknown[];
  readonly start: number;
  /** Number of all orders, as the service says. */
  readonly total: number;
  /** The total is a lower bound. */
  readonly isLowerBound: boolean;
  /** Where the next page begins; undefined on the last page. */
  readonly next: number | undefined;
  /** Whether the service says that this is the last page, if it does. */
  readonly isLast: boolean;
  /** Replaces the cursor of the last page; absent: as usual for the style. */
  readonly end?: { readonly cursor: unknown } | undefined;
  /** Address of the endpoint. */
  readonly address: string;
}

export interface StyledAnswer {
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const pageSize = 10;

const numberOf = (query: URLSearchParams, name: string, otherwise = 0): number => Number(query.get(name) ?? otherwise);

/** The cursor of a page: of the last one, `usual`, unless the cell replaces it. */
function cursor(page: Page, of: (next: number) => unknown, usual: unknown): unknown {
  if (page.next !== undefined) return of(page.next);
  return page.end ? page.end.cursor : usual;
}

const at =
  ({ address }: Page, parameter: string) =>
  (next: number) =>
    `${address}?${parameter}=${next}`;

export const pagingStyles: readonly PagingStyle[] = [
  {
    name: 'offset with a total',
    settings: { records: 'data.items', pagination: { style: 'offset', total: 'meta.total' } },
    start: (query) => numberOf(query, 'offset'),
    answer: ({ orders, total, isLowerBound }) => ({
      body: { data: { items: orders }, meta: { total, ...(isLowerBound && { relation: 'gte' }) } },
    }),
    kind: 'place',
    tells: 'count',
  },
  {
    name: 'page numbers of a bare list',
    settings: { pagination: { style: 'page' } },
    start: (query) => (numberOf(query, 'page', 1) - 1) * pageSize,
    answer: ({ orders }) => ({ body: orders }),
    kind: 'place',
    tells: 'nothing',
  },
  {
    name: 'page numbers from 0 with their count, as of Spring',
    settings: { records: 'content', pagination: { style: 'page', first: 0 } },
    start: (query) => numberOf(query, 'page') * pageSize,
    answer: (page) => ({
      body: {
        content: page.orders,
        number: page.start / pageSize,
        totalPages: Math.ceil(page.total / pageSize),
        last: page.isLast,
      },
    }),
    kind: 'place',
    tells: 'count',
  },
  {
    name: 'offset as of Jira',
    settings: {
      records: 'issues',
      pagination: { style: 'offset', parameter: 'startAt', limitParameter: 'maxResults', total: 'total' },
    },
    start: (query) => numberOf(query, 'startAt'),
    answer: ({ orders, start, total }) => ({ body: { startAt: start, maxResults: pageSize, total, issues: orders } }),
    kind: 'place',
    tells: 'count',
  },
  {
    name: 'offset as of Elasticsearch',
    settings: {
      records: 'hits.hits',
      pagination: { style: 'offset', parameter: 'from', limitParameter: 'size', total: 'hits.total' },
    },
    start: (query) => numberOf(query, 'from'),
    answer: ({ orders, total, isLowerBound }) => ({
      body: { took: 1, hits: { total: { value: total, relation: isLowerBound ? 'gte' : 'eq' }, hits: orders } },
    }),
    kind: 'place',
    tells: 'count',
  },
  {
    name: 'page numbers with the total in a header',
    settings: { pagination: { style: 'page', limitParameter: 'per_page' } },
    start: (query) => (numberOf(query, 'page', 1) - 1) * pageSize,
    answer: ({ orders, total }) => ({ body: orders, headers: { 'X-Total-Count': String(total) } }),
    kind: 'place',
    tells: 'count',
  },
  {
    name: 'a cursor',
    settings: { records: 'items', pagination: { style: 'cursor', next: 'meta.next_cursor' } },
    start: (query) => numberOf(query, 'cursor'),
    answer: (page) => ({ body: { items: page.orders, meta: { next_cursor: cursor(page, String, null) } } }),
    kind: 'cursor',
    tells: 'nothing',
  },
  {
    name: 'addresses of OData',
    settings: { records: 'value', pagination: { style: 'cursor', next: '@odata.nextLink', total: '@odata.count' } },
    start: (query) => numberOf(query, '$skip'),
    answer: (page) => ({
      body: {
        '@odata.count': page.total,
        value: page.orders,
        '@odata.nextLink': cursor(page, at(page, '$skip'), undefined),
      },
    }),
    kind: 'cursor',
    tells: 'count',
  },
  {
    name: 'addresses of JSON:API',
    settings: { records: 'data', pagination: { style: 'cursor', next: 'links.next' } },
    start: (query) => numberOf(query, 'page[offset]'),
    answer: (page) => ({
      body: {
        data: page.orders,
        links: { self: page.address, next: cursor(page, at(page, 'page[offset]'), null) },
        meta: { total: page.total },
      },
    }),
    kind: 'cursor',
    tells: 'count',
  },
  {
    name: 'addresses of HAL',
    settings: { records: '_embedded.orders', pagination: { style: 'cursor', next: '_links.next.href' } },
    start: (query) => numberOf(query, 'start'),
    answer: (page) => {
      const next = cursor(page, at(page, 'start'), undefined);
      return {
        body: {
          _links: { self: { href: page.address }, ...(next !== undefined && { next: { href: next } }) },
          _embedded: { orders: page.orders },
        },
      };
    },
    kind: 'cursor',
    tells: 'nothing',
  },
  {
    name: 'the last id, as of Stripe',
    settings: { records: 'data', pagination: { style: 'cursor', parameter: 'starting_after', next: 'data[-1].id' } },
    start: (query) => numberOf(query, 'starting_after'),
    answer: (page) => ({ body: { object: 'list', data: page.orders, has_more: !page.isLast } }),
    kind: 'cursor',
    tells: 'flag',
  },
  {
    name: 'addresses of Salesforce',
    settings: { records: 'records', pagination: { style: 'cursor', next: 'nextRecordsUrl' } },
    start: (query) => numberOf(query, 'from'),
    answer: (page) => ({
      body: {
        totalSize: page.total,
        done: page.isLast,
        records: page.orders,
        nextRecordsUrl: cursor(page, at(page, 'from'), undefined),
      },
    }),
    kind: 'cursor',
    tells: 'count',
  },
  {
    name: 'addresses of Django REST framework',
    settings: { records: 'results', pagination: { style: 'cursor', next: 'next' } },
    start: (query) => numberOf(query, 'offset'),
    answer: (page) => ({
      body: { count: page.total, next: cursor(page, at(page, 'offset'), null), previous: null, results: page.orders },
    }),
    kind: 'cursor',
    tells: 'count',
  },
  {
    name: 'the Link header, as of GitHub',
    settings: { pagination: { style: 'link' } },
    start: (query) => numberOf(query, 'start'),
    answer: (page) => ({
      body: page.orders,
      ...(page.next !== undefined
        ? { headers: { Link: `<${page.address}?start=0>; rel="first", <${at(page, 'start')(page.next)}>; rel="next"` } }
        : page.start > 0 && { headers: { Link: `<${page.address}?start=0>; rel="first"` } }),
    }),
    kind: 'link',
    tells: 'nothing',
  },
];

/** What a request beyond the last page gets, for styles by place. */
export const beyondEnds = ['empty', 'null', '204', '404', '416', 'repeat'] as const;

/** The cursor of the last page; `usual` is that of the style, `empty page` leads to one more page without records. */
export const cursorEnds = ['usual', 'absent', 'null', 'text', '0', '-1', 'false', 'flag', 'empty page', '204'] as const;

export const pagingFaults = [
  'none',
  'busy',
  'capped total',
  'lower bound',
  'hole',
  'stuck',
  'cut chain',
  'missing',
] as const;

export interface PagingCell {
  readonly style: PagingStyle;
  readonly count: number;
  readonly end: (typeof beyondEnds)[number] | (typeof cursorEnds)[number];
  readonly fault: (typeof pagingFaults)[number];
  readonly charset: 'utf-8' | 'iso-8859-1' | 'utf-16le' | 'wrong';
}

export interface StyledService {
  readonly url: string;
  /** Answers as this cell from now on. */
  play(cell: PagingCell): void;
  readonly requests: () => number;
  close(): Promise<void>;
}

export const nameOf = (id: number): string => `Größe ${id}`;

const endCursors: Readonly<Partial<Record<PagingCell['end'], unknown>>> = {
  absent: undefined,
  null: null,
  text: '',
  '0': 0,
  '-1': -1,
  false: false,
};

export async function startStyledService(): Promise<StyledService> {
  let cell: PagingCell | undefined;
  let [requests, wasBusy] = [0, false];
  const server = createServer((request, response) => {
    requests += 1;
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const answered = cell ? answer(cell, url, wasBusy) : { status: 500, body: '' };
    if (answered.status === 503) wasBusy = true;
    response.writeHead(answered.status, answered.headers);
    response.end(answered.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    play(next) {
      cell = next;
      requests = 0;
      wasBusy = false;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface RawAnswer {
  readonly status: number;
  readonly body: string | Buffer;
  readonly headers?: Record<string, string>;
}

function answer({ style, count, end, fault, charset }: PagingCell, url: URL, wasBusy: boolean): RawAnswer {
  const asked = style.start(url.searchParams);
  const isSecond = asked === pageSize && count > pageSize;
  if (isSecond && fault === 'busy' && !wasBusy) return { status: 503, body: '', headers: { 'Retry-After': '0' } };
  if (isSecond && fault === 'missing') return { status: 404, body: '{}' };
  const isBeyond = asked >= count && asked > 0;
  if (isBeyond && (end === '204' || end === '404' || end === '416')) return { status: Number(end), body: '' };
  const lastStart = Math.max(0, Math.ceil(count / pageSize) - 1) * pageSize;
  const start = isSecond && fault === 'stuck' ? 0 : isBeyond && end === 'repeat' ? lastStart : asked;
  const ids = Array.from({ length: Math.max(0, Math.min(pageSize, count - start)) }, (_, index) => start + index + 1);
  const isHole = isSecond && fault === 'hole';
  const orders = isHole ? [] : ids.map((id) => ({ id, name: nameOf(id) }));
  const hasNext = start + pageSize < count && !(fault === 'cut chain' && isSecond);
  const isFollowed = style.kind !== 'place' && !isBeyond && (end === 'empty page' || end === '204') && count > 0;
  const isLast = start + pageSize >= count && !isFollowed;
  const next = hasNext || isFollowed ? start + pageSize : undefined;
  const total = fault === 'capped total' || fault === 'lower bound' ? Math.min(count, 2 * pageSize) : count;
  const page: Page = {
    orders: isBeyond && end === 'null' && style.kind === 'place' ? (null as never) : orders,
    start,
    total,
    isLowerBound: fault === 'lower bound',
    isLast,
    next,
    address: `${url.origin}${url.pathname}`,
    ...(end in endCursors && style.kind === 'cursor' && { end: { cursor: endCursors[end] } }),
    ...(end === 'flag' && { end: { cursor: `${url.origin}${url.pathname}?start=${start}` } }),
  };
  const { body, headers = {} } = style.answer(page);
  const flagged = end === 'flag' && isRecord(body) ? { ...body, has_more: !isLast } : body;
  return { status: 200, body: encoded(JSON.stringify(flagged), charset), headers: { ...headers, ...typeOf(charset) } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function encoded(text: string, charset: PagingCell['charset']): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  return Buffer.from(text, charset === 'utf-16le' ? 'utf16le' : 'latin1');
}

/** Texts in the charset `wrong` are ISO 8859-1, and said to be UTF-8. */
function typeOf(charset: PagingCell['charset']): Record<string, string> {
  return { 'Content-Type': `application/json; charset=${charset === 'wrong' ? 'utf-8' : charset}` };
}
