import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';

interface Respond {
  /** A text or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

interface Service {
  /** Path and query of every request. */
  readonly requests: string[];
  readonly headers: IncomingHttpHeaders[];
}

const orders = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, customer: `C${index % 7}` }));

/** Serves answers by address, and reads them as the endpoint `orders` of `/v1`. */
async function withAnswers(
  respond: (url: URL, base: string) => Respond | undefined,
  endpoint: object,
  use: (connector: Connector, service: Service) => Promise<void>,
  settings: object = {},
): Promise<void> {
  const service: Service = { requests: [], headers: [] };
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host}`;
    const url = new URL(request.url ?? '/', base);
    service.requests.push(`${url.pathname}${url.search}`);
    service.headers.push(request.headers);
    const { body = [], headers = {} } = respond(url, base) ?? { body: { message: 'no such path' } };
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
    response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const source = dataSource('api', {
    kind: 'rest',
    baseUrl: `http://127.0.0.1:${port}/v1`,
    endpoints: [{ name: 'orders', path: '/orders', key: 'id', ...endpoint }],
    ...settings,
  });
  try {
    const connector = await createConnector(source, {
      folder: process.cwd(),
      permitUses: permitAllUses,
      readSecret: async () => 'hush',
      environment: { TENANT: 'acme' },
    });
    await use(connector, service).finally(() => connector.close());
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function imported(connector: Connector, sql = 'SELECT count(*), count(DISTINCT id) FROM orders') {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    try {
      await pull.load(fileQuery(sql, ['orders']), 'result', {});
      return (await staging.table('SELECT * FROM result')).rows;
    } finally {
      await pull.close();
    }
  });
}

async function countOf(connector: Connector): Promise<readonly number[]> {
  const [row = []] = await imported(connector);
  return row.map(Number);
}

const page = (from: number) => orders.slice(from, from + 10);

describe('REST source › addresses as cursors', () => {
  /** One row per form of the next address. */
  const forms: readonly (readonly [name: string, next: (from: number, base: string) => string])[] = [
    ['a query', (from) => `?from=${from}`],
    ['a path', (from) => `/v1/orders/${from}`],
    ['a path with a query', (from) => `/v1/orders?from=${from}`],
    ['a relative path', (from) => `orders?from=${from}`],
    ['an address with a scheme in capitals', (from, base) => `${base.replace('http', 'HTTP')}/v1/orders?from=${from}`],
    ['an address without a scheme', (from, base) => `${base.replace('http:', '')}/v1/orders?from=${from}`],
  ];
  const placeOf = ({ pathname, searchParams }: URL): number =>
    Number(searchParams.get('from') ?? /\d+$/.exec(pathname)?.[0] ?? 0);
  for (const [name, next] of forms)
    it(`are followed: ${name}`, () =>
      withAnswers(
        (url, base) => {
          const from = placeOf(url);
          return { body: { items: page(from), next: from + 10 < 25 ? next(from + 10, base) : null } };
        },
        { records: 'items', pagination: { style: 'cursor', next: 'next' } },
        async (connector, { requests }) => {
          assert.deepEqual(await countOf(connector), [25, 25]);
          assert.ok(!requests.some((request) => request.includes('cursor=')), requests.join());
        },
      ));

  it('lead to the configured host only', () =>
    withAnswers(
      () => ({ body: { items: page(0), next: '//other.example/v1/orders?from=10' } }),
      { records: 'items', pagination: { style: 'cursor', next: 'next' } },
      async (connector) => {
        await assert.rejects(countOf(connector), { code: 'source-failed', message: /leads to another host/ });
      },
    ));

  for (const [next, said, remedy] of [
    [
      { href: '/v1/orders?from=10' },
      /"links\.next" in the answer of orders is an object, no cursor/,
      /links\.next\.href/,
    ],
    [['abc'], /is a list, no cursor/, /links\.next\[0\]/],
    [true, /is true, no cursor/, /Correct next in pagination/],
  ] as const)
    it(`must be objects: ${JSON.stringify(next)}`, () =>
      withAnswers(
        () => ({ body: { items: page(0), links: { next } } }),
        { records: 'items', pagination: { style: 'cursor', next: 'links.next' } },
        async (connector) => {
          await assert.rejects(countOf(connector), (error: SourceError) => {
            assert.match(error.message, said);
            assert.match(error.details.remedy ?? '', remedy);
            return true;
          });
        },
      ));
});

describe('REST source › headers of answers', () => {
  it('may have the cursor', () =>
    withAnswers(
      ({ searchParams }) => {
        const from = Number(searchParams.get('after') ?? 0);
        return { body: page(from), headers: from + 10 < 25 ? { 'X-Next-Cursor': String(from + 10) } : {} };
      },
      { pagination: { style: 'cursor', parameter: 'after', next: 'header:X-Next-Cursor' } },
      async (connector, { requests }) => {
        assert.deepEqual(await countOf(connector), [25, 25]);
        assert.deepEqual(requests.slice(-3), ['/v1/orders', '/v1/orders?after=10', '/v1/orders?after=20']);
      },
    ));

  it('may have the number of records', () =>
    withAnswers(
      ({ searchParams }) => ({
        body: page(10 * (Number(searchParams.get('page')) - 1)),
        headers: { 'X-Total-Count': '25' },
      }),
      { pagination: { style: 'page', total: 'header:x-total-count' } },
      async (connector, { requests }) => {
        const { objects } = await connector.describe({});
        assert.equal(objects[0]?.statistics.rowEstimate, 25);
        assert.deepEqual(await countOf(connector), [25, 25]);
        // Without the number, there would be a request for an empty page.
        assert.equal(requests.at(-1), '/v1/orders?page=3');
      },
    ));

  it('do not have the records', () =>
    assert.rejects(
      withAnswers(
        () => undefined,
        { records: 'header:X-Records' },
        async () => undefined,
      ),
      { code: 'source-config', message: /endpoints\[0\]\.records must be in the body/ },
    ));
});

describe('REST source › records in answers', () => {
  const rowsOf = async (connector: Connector, sql = 'SELECT id, customer FROM orders ORDER BY id') =>
    (await connector.preview(fileQuery(sql, ['orders']), { limit: 100 })).rows;
  const first = [
    ['1', 'C0'],
    ['2', 'C1'],
  ];
  const two = orders.slice(0, 2);
  const asTexts = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.map(String));

  it('are found at a place in a list', () =>
    withAnswers(
      () => ({ body: { result: [{ items: two }, { items: [] }] } }),
      { records: '$.result[0].items' },
      async (connector) => assert.deepEqual(asTexts(await rowsOf(connector)), first),
    ));

  it('have their key, where they are the values of an object', () =>
    withAnswers(
      () => ({ body: { orders: { '1': { customer: 'C0' }, '2': { id: null, customer: 'C1' } } } }),
      { records: 'orders', keyColumn: 'id' },
      async (connector) => {
        assert.deepEqual(asTexts(await rowsOf(connector)), first);
        assert.deepEqual(await countOf(connector), [2, 2]);
      },
    ));

  for (const [body, said] of [
    [{ o1: { id: 'o2' } }, /^The record "o1" of orders has a field id, which is "o2"\.$/],
    [{ o1: { customer: 'C0' }, count: 1 }, /^The answer of orders has something else than a record at "count"\.$/],
    [[{ id: 1 }], /^The answer of orders is no object whose values are records\.$/],
  ] as const)
    it(`are refused as values of an object in ${JSON.stringify(body)}`, () =>
      withAnswers(
        () => ({ body }),
        { keyColumn: 'id' },
        async (connector) => {
          await assert.rejects(connector.describe({}), { code: 'source-failed', message: said });
        },
      ));

  for (const body of [{}, []])
    it(`may be no values of an object, as in ${JSON.stringify(body)}`, () =>
      withAnswers(
        () => ({ body }),
        { keyColumn: 'id', columns: { id: 'VARCHAR' } },
        async (connector) => assert.deepEqual(await countOf(connector), [0, 0]),
      ));

  const lines = two.map((order) => JSON.stringify(order)).join('\n');
  for (const type of ['application/x-ndjson', 'application/json'])
    it(`are the lines of ${type}`, () =>
      withAnswers(
        () => ({ body: lines, headers: { 'Content-Type': type } }),
        {},
        async (connector) => assert.deepEqual(asTexts(await rowsOf(connector)), first),
      ));

  it('come from a gzip file', () =>
    withAnswers(
      () => ({ body: gzipSync(JSON.stringify(two)), headers: { 'Content-Type': 'application/gzip' } }),
      { path: '/orders.json.gz' },
      async (connector) => assert.deepEqual(asTexts(await rowsOf(connector)), first),
    ));

  it('come from a whole gzip file', () =>
    withAnswers(
      () => ({ body: gzipSync(JSON.stringify(two)).subarray(0, 30), headers: { 'Content-Type': 'application/gzip' } }),
      { path: '/orders.json.gz' },
      async (connector) => {
        await assert.rejects(countOf(connector), { message: /sends a gzip file that cannot be read to its end/ });
      },
    ));

  it('have no value where a text represents a missing one', () =>
    withAnswers(
      ({ searchParams }) => ({
        body: [
          [
            { id: 1, at: '2024-01-01T08:00:00Z', n: 'N/A' },
            { id: 2, at: '', n: 5 },
          ],
          [{ id: 3, at: '', n: 'N/A' }],
          [],
        ][Number(searchParams.get('page')) - 1],
      }),
      { pagination: { style: 'page' } },
      async (connector) => {
        const { objects } = await connector.describe({});
        assert.deepEqual(
          objects[0]?.columns.map(({ type }) => type),
          ['BIGINT', 'TIMESTAMP WITH TIME ZONE', 'BIGINT'],
        );
        const rows = await imported(connector, 'SELECT count(id), count("at"), count(n) FROM orders');
        assert.deepEqual(
          rows.map((row) => row.map(Number)),
          [[3, 1, 1]],
        );
      },
      { nullValues: ['', 'N/A'] },
    ));

  it('are refused if a text is not a time; the message suggests nullValues', () =>
    withAnswers(
      ({ searchParams }) => ({
        body: [[{ id: 1, at: '2024-01-01T08:00:00Z' }], [{ id: 3, at: '' }], []][Number(searchParams.get('page')) - 1],
      }),
      { pagination: { style: 'page' } },
      async (connector) => {
        const sql = 'SELECT count(id), count("at") FROM orders';
        await assert.rejects(imported(connector, sql), {
          code: 'type-mismatch',
          message: 'The record 3 of orders has "" in at, which is no TIMESTAMP WITH TIME ZONE.',
          details: { remedy: 'Add "" to nullValues of the endpoint: a missing value.' },
        });
      },
    ));

  for (const value of [12.5, 1e-7])
    it(`are refused with ${value} after whole numbers, unless its column is declared`, async () => {
      const respond = ({ searchParams }: URL): Respond => ({
        body: [[{ id: 1, amount: 12 }], [{ id: 2, amount: value }], []][Number(searchParams.get('page')) - 1],
      });
      const endpoint = { pagination: { style: 'page' } };
      const sql = 'SELECT max(amount), min(amount) FROM orders';
      await withAnswers(respond, endpoint, async (connector) => {
        await assert.rejects(imported(connector, sql), {
          code: 'type-mismatch',
          message: `The record 2 of orders has "${value}" in amount, which is no BIGINT.`,
          details: {
            remedy:
              'The first page has whole numbers only: declare amount as DOUBLE, or DECIMAL, where endpoints have columns.',
          },
        });
      });
      await withAnswers(respond, { ...endpoint, columns: { amount: 'DOUBLE' } }, async (connector) => {
        const [row = []] = await imported(connector, sql);
        assert.deepEqual(row.map(Number).sort(), [12, value].sort());
      });
    });
});

describe('REST source › requests', () => {
  it('repeat a parameter with a list', () =>
    withAnswers(
      () => ({ body: orders }),
      { path: '/orders?status=none&x=1', parameters: { status: ['open', 2], 'ids[]': ['{{since}}', '${env:TENANT}'] } },
      async (connector, { requests }) => {
        await connector.describe({});
        assert.equal(requests.at(-1), '/v1/orders?x=1&status=open&status=2&ids%5B%5D=acme');
        const [step] = await connector.steps(fileQuery('SELECT id FROM orders', ['orders']), { kind: 'import' });
        assert.match(step?.title ?? '', /an import with --since also sends ids\[\]=\{\{since\}\}/);
      },
    ));

  for (const parameters of [{ status: [] }, { status: [{}] }, { status: ['{{nothing}}'] }])
    it(`have no parameters ${JSON.stringify(parameters)}`, () =>
      assert.rejects(
        withAnswers(
          () => undefined,
          { parameters },
          async () => undefined,
        ),
        { code: 'source-config', message: /endpoints\[0\]\.parameters\.status must be/ },
      ));

  it('have headers of the settings, which are shown', () =>
    withAnswers(
      () => ({ body: orders }),
      {},
      async (connector, { headers }) => {
        assert.deepEqual(await countOf(connector), [25, 25]);
        for (const each of headers) {
          assert.deepEqual([each['x-tenant'], each.accept], ['acme', 'application/vnd.api+json']);
        }
        const [step] = await connector.steps(fileQuery('SELECT id FROM orders', ['orders']), { kind: 'import' });
        assert.match(step?.text ?? '', /\/v1\/orders\nX-Tenant: acme\naccept: application\/vnd\.api\+json$/);
      },
      { headers: { 'X-Tenant': '${env:TENANT}', accept: 'application/vnd.api+json' } },
    ));
});
