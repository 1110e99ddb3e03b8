import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A plain REST service on loopback with the same orders under each pagination style. */
export interface PagedService {
  readonly url: string;
  readonly orders: Record<string, unknown>[];
  /** Path and query of every request. */
  readonly requests: string[];
  /** Statuses of the next responses instead of records; 0: no response. */
  readonly failures: {
    readonly status: number;
    readonly body?: string | Buffer;
    readonly headers?: Record<string, string>;
  }[];
  close(): Promise<void>;
}

const apiKey = 'key-1';

export interface PagedServiceOptions {
  /** Whether a request has a login; default: the key in its header. */
  readonly accepts?: (request: IncomingMessage, url: URL) => boolean;
  /** Texts by path, such as documents, for every logged-in client. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Called before each response, and may change the orders. */
  readonly onRequest?: (orders: Record<string, unknown>[]) => void;
  /** PEM texts: serves HTTPS, only to clients with a certificate of this authority. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly ca: string };
}

const hasKey = ({ headers }: IncomingMessage): boolean => headers['x-api-key'] === apiKey;

/** Starts the service with this many orders; pages hold at most `cap` of them, whatever is requested. */
export async function startPagedService(
  count: number,
  cap: number,
  { accepts = hasKey, texts = {}, onRequest = () => undefined, tls }: PagedServiceOptions = {},
): Promise<PagedService> {
  const orders = Array.from({ length: count }, (_, index): Record<string, unknown> => ({
    id: index + 1,
    customer: `C${index % 7}`,
    amount: index % 2 === 0 ? index : index + 0.5,
    paid: index % 3 === 0,
    at: new Date(Date.UTC(2024, 0, 1, index)).toISOString(),
    day: '2024-02-29',
    lines: [{ item: index }],
    note: index % 4 === 0 ? null : '',
  }));
  const service = { orders, requests: [] as string[], failures: [] as PagedService['failures'][number][] };
  const listener: RequestListener = (request, response) =>
    answer({ ...service, accepts, texts, onRequest }, cap, request, response);
  const server = tls
    ? createTlsServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener)
    : createServer(listener);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...service,
    url: tls ? `https://localhost:${port}/v1` : `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function answer(
  service: Pick<PagedService, 'orders' | 'requests' | 'failures'> & Required<Omit<PagedServiceOptions, 'tls'>>,
  cap: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { orders, requests, failures, accepts, texts, onRequest } = service;
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  requests.push(`${url.pathname}${url.search}`);
  onRequest(orders);
  const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  };
  const failure = failures.shift();
  if (failure?.status === 0) return;
  if (failure) return send(failure.status, failure.body ?? '', failure.headers);
  if (!accepts(request, url)) return send(401, { message: 'no key' });
  const text = texts[url.pathname];
  if (text !== undefined) return send(200, text, { 'Content-Type': 'text/plain' });
  const number = (name: string, otherwise: number): number => Number(url.searchParams.get(name) || otherwise);
  const size = Math.min(cap, number('limit', cap));
  // Times of orders compare as texts.
  const since = url.searchParams.get('since') ?? '';
  const wanted = since === '' ? orders : orders.filter(({ at }) => String(at) >= since);
  const page = (from: number) => wanted.slice(from, from + size);
  switch (url.pathname) {
    case '/v1/by-offset':
      return send(200, { data: { items: page(number('offset', 0)) }, meta: { total: wanted.length } });
    case '/v1/by-range': {
      // One parameter gives offset and size of a page, such as 20+10.
      const [from = 0, most = cap] = (url.searchParams.get('range') ?? '').split('+').map(Number);
      return send(200, { items: wanted.slice(from, from + Math.min(cap, most)), total: wanted.length });
    }
    case '/v1/by-page':
      return send(200, page((number('page', 1) - 1) * size));
    case '/v1/by-index':
      if (number('limit', cap) > cap) return send(400, { message: `limit is ${cap} at most` });
      return send(200, page(number('page', 0) * size));
    case '/v1/by-cursor': {
      const from = number('after', number('cursor', 0));
      const next = from + size < wanted.length ? String(from + size) : null;
      return send(200, { items: page(from), meta: { next } });
    }
    case '/v1/by-address': {
      const from = number('start', 0);
      const next =
        from + size < wanted.length ? `http://${request.headers.host}${url.pathname}?start=${from + size}` : null;
      return send(200, { items: page(from), links: { next } });
    }
    case '/v1/by-link': {
      const from = number('start', 0);
      const to = (at: number): string => `${url.pathname}?fields=id,at&start=${at}`;
      const next = from + size < wanted.length ? `, <${to(from + size)}>; title="a, b"; rel="next"` : '';
      return send(200, { items: page(from) }, { Link: `<${to(0)}>; rel=first${next}` });
    }
    case '/v1/openapi.json':
      return send(200, openApi);
    case '/v1/fractions':
      return send(200, '[{"id": 1, "rate": 1.234567890123456789, "share": 90071992547409.93}, {"id": 2, "rate": 0.5}]');
    case '/v1/all':
      return send(200, `[{"id": 12345678901234567890, "text": "1234567890123456789"}, {"id": 7, "text": "\\"5"}]`);
    default:
      return send(404, { message: 'no such path' });
  }
}

/** The service's description, `by-offset` only. */
const openApi = {
  openapi: '3.0.3',
  info: { title: 'Orders', version: '1' },
  paths: {
    '/by-offset': {
      get: {
        operationId: 'listOrders',
        summary: 'Orders, the oldest first',
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer' } },
          { name: 'offset', in: 'query', schema: { type: 'integer' } },
        ],
        responses: {
          '200': {
            description: 'OK',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } },
          },
        },
      },
    },
    '/by-id/{id}': { get: { responses: { '200': { description: 'OK' } } } },
  },
  components: {
    schemas: {
      Page: {
        type: 'object',
        properties: {
          data: {
            type: 'object',
            properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
          },
          meta: { type: 'object', properties: { total: { type: 'integer' } } },
        },
      },
      Order: {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          customer: { type: 'string', description: 'Who ordered', enum: ['C0', 'C1'] },
          amount: { type: 'number' },
          paid: { type: 'boolean' },
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          lines: { type: 'array', items: { type: 'object' } },
          note: { type: ['string', 'null'] },
        },
      },
    },
  },
};
