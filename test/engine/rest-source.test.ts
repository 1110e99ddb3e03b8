import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findDataObject } from '../../server/src/catalog/catalog.ts';
import type { Connector, PullOptions } from '../../server/src/connectors/connector.ts';
import { createConnector } from '../support/create-connector.ts';
import { readJsonResponse } from '../../server/src/connectors/rest/read-response.ts';
import { readRestPages } from '../../server/src/connectors/endpoints/read-pages.ts';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import { buildObjectQuery } from '../../server/src/query/object-query.ts';
import { maxPreviewBytes } from '../../protocol/preview-limits.ts';
import { startPagedService, type PagedService } from '../simulator/paged-service.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { withProject } from '../support/import-text.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

type Endpoint = Readonly<Record<string, unknown>>;

async function withEndpoint<T>(
  endpoint: Endpoint,
  use: (connector: Connector, service: PagedService) => Promise<T>,
  { count = 25, settings = () => ({}) }: { readonly count?: number; readonly settings?: (url: string) => object } = {},
): Promise<T> {
  const service = await startPagedService(count, 10);
  try {
    const source = {
      kind: 'rest',
      baseUrl: service.url,
      auth: { kind: 'apiKey', header: 'X-Api-Key', token: '${secret:api}' },
      endpoints: [{ name: 'orders', key: 'id', ...endpoint }],
      ...settings(service.url),
    };
    const connector = await createConnector(dataSource('api', source), {
      folder: process.cwd(),
      permitUses: permitAllUses,
      readSecret: async () => 'key-1',
      environment: { REGION: 'a&b' },
    });
    try {
      return await use(connector, service);
    } finally {
      await connector.close();
    }
  } finally {
    await service.close();
  }
}

async function imported(
  connector: Connector,
  sql = 'SELECT count(*), count(DISTINCT id) FROM orders',
  object = 'orders',
  options: PullOptions = {},
) {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, options);
    try {
      await pull.load(fileQuery(sql, [object]), 'result', {});
      return (await staging.table('SELECT * FROM result')).rows;
    } finally {
      await pull.close();
    }
  });
}

const offset = { path: '/by-offset', records: 'data.items', pagination: { style: 'offset', total: 'meta.total' } };

/** Templates that no request can fill. */
const mistaken: readonly (readonly [parameters: object, message: RegExp, pagination?: object])[] = [
  [{ x: '{{sinec}}' }, /endpoints\[0\]\.parameters\.x must be a text with no other placeholders than \{\{since\}\}, /],
  [
    { x: '{{cursor}}' },
    /parameters\.x must be without \{\{cursor\}\}, or pagination of style cursor/,
    { style: 'page' },
  ],
  [{ x: '{{pageSize}}' }, /parameters\.x must be without \{\{pageSize\}\}, or with pagination/],
  [{ x: '{{since}} {{page}}' }, /parameters\.x must be without \{\{since\}\} beside/, { style: 'page' }],
];

/** One row per pagination style: the endpoint and its requests for 25 orders with at most 10 per page. */
const styles: readonly (readonly [endpoint: Endpoint, requests: readonly string[]])[] = [
  [offset, ['?limit=100&offset=0', '?limit=100&offset=10', '?limit=100&offset=20']],
  [
    { ...offset, pagination: { style: 'offset', pageSize: 5 } },
    ['0', '5', '10', '15', '20', '25'].map((at) => `?limit=5&offset=${at}`),
  ],
  [{ path: 'by-page', pagination: { style: 'page' } }, ['?page=1', '?page=2', '?page=3', '?page=4']],
  [
    {
      path: '/by-cursor?a=%26',
      records: 'items',
      parameters: { b: 1 },
      pagination: { style: 'cursor', parameter: 'after', next: 'meta.next' },
    },
    ['?a=%26&b=1', '?a=%26&b=1&after=10', '?a=%26&b=1&after=20'],
  ],
  [
    { path: '/by-link', records: 'items', pagination: { style: 'link' } },
    ['', '?fields=id,at&start=10', '?fields=id,at&start=20'],
  ],
];

/** One row per endpoint with templates for the page, with its first and last request. */
const templates: readonly (readonly [endpoint: Endpoint, first: string, last: string])[] = [
  [
    {
      path: '/by-range',
      records: 'items',
      parameters: { range: '{{offset}}+{{pageSize}}', since: '{{since}}' },
      pagination: { style: 'offset', pageSize: 7, total: 'total' },
    },
    '?range=0%2B7',
    '?range=21%2B7',
  ],
  [
    { path: '/by-page', parameters: { page: '{{ page }}', limit: '{{pageSize}}' }, pagination: { style: 'page' } },
    '?page=1&limit=100',
    '?page=4&limit=100',
  ],
  [
    {
      path: '/by-cursor',
      records: 'items',
      parameters: { after: '{{cursor}}', day: '{{since:date}}' },
      pagination: { style: 'cursor', next: 'meta.next' },
    },
    '',
    '?after=20',
  ],
];

describe('REST source', () => {
  for (const [endpoint, first, last] of templates) {
    it(`finds the page position in ${JSON.stringify(endpoint['parameters'])}`, async () => {
      await withEndpoint(endpoint, async (connector, service) => {
        const [row] = await imported(connector);
        assert.deepEqual(row?.map(Number), [25, 25]);
        const queries = service.requests.slice(1).map((path) => path.replace(/^[^?]*/, ''));
        assert.deepEqual([queries[0], queries.at(-1)], [first, last]);
      });
    });
  }

  it('sends the start time of a sliced import only where a template contains it', async () => {
    const forms = { s: '{{since:seconds}}', ms: '{{since:milliseconds}}', day: 'from {{since:date}}' };
    const parameters = { since: '{{since}}', ...forms, status: 'all' };
    await withEndpoint({ ...offset, parameters }, async (connector, service) => {
      await connector.describe({});
      service.requests.length = 0;
      const count = 'SELECT count(*), min(id) FROM orders';
      const since = '2024-01-01T20:00:00.000Z';
      assert.deepEqual((await imported(connector, count, 'orders', { since }))[0]?.map(Number), [5, 21]);
      assert.deepEqual((await imported(connector, count, 'orders', { since, sample: 3 }))[0]?.map(Number), [5, 21]);
      assert.deepEqual((await imported(connector, count))[0]?.map(Number), [25, 1]);
      const sent = new Set(service.requests.map((path) => path.replace(/^[^?]*\?|&?limit=.*$/g, '')));
      const time = Date.parse(since);
      const sliced = `since=2024-01-01T20%3A00%3A00.000Z&s=${time / 1000}&ms=${time}&day=from+2024-01-01&status=all`;
      assert.deepEqual([...sent].sort(), [sliced, 'status=all']);
    });
  });

  it('shows parameters as sent, with secrets redacted, and the additions of a sliced import', async () => {
    const parameters = { token: 'Key ${secret:api}', since: '{{since}}', region: '${env:REGION}' };
    await withEndpoint({ ...offset, parameters }, async (connector, service) => {
      const query = fileQuery('SELECT id FROM orders', ['orders']);
      const [step] = await connector.steps(query, { kind: 'import' });
      assert.equal(service.requests.at(-1), '/v1/by-offset?token=Key+key-1&region=a%26b&limit=100&offset=0');
      assert.equal(
        step?.text.split('\n')[0],
        `GET ${service.url}/by-offset?token=Key+***&region=a%26b&limit=100&offset=0`,
      );
      assert.match(step?.title ?? '', /; an import with --since also sends since=\{\{since\}\}$/);
    });
  });

  for (const [endpoint, queries] of styles) {
    it(`paginates by ${JSON.stringify(endpoint['pagination'])}`, async () => {
      await withEndpoint(endpoint, async (connector, service) => {
        await connector.describe({});
        service.requests.length = 0;
        const [row] = await imported(connector);
        assert.deepEqual(row?.map(Number), [25, 25]);
        // The first request finds the columns, because this query does not name them.
        assert.deepEqual(
          service.requests.slice(1).map((path) => path.replace(/^[^?]*/, '')),
          queries,
        );
      });
    });
  }

  it('infers types from the first page, and uses declared ones', async () => {
    await withEndpoint(
      { ...offset, columns: { customer: 'varchar', id: 'INTEGER', more: 'DATE' } },
      async (connector) => {
        const catalog = await connector.describe({});
        const orders = findDataObject(catalog, 'orders');
        assert.deepEqual(
          orders?.columns.slice(0, 2).map(({ samples }) => samples),
          [
            ['1', '2', '3'],
            ['C0', 'C1', 'C2'],
          ],
        );
        assert.deepEqual(
          orders?.columns.map(({ name, type }) => `${name} ${type}`),
          [
            'id INTEGER',
            'customer VARCHAR',
            'amount DOUBLE',
            'paid BOOLEAN',
            'at TIMESTAMP WITH TIME ZONE',
            'day DATE',
            'lines JSON',
            'note VARCHAR',
            'more DATE',
          ],
        );
        assert.deepEqual([orders?.primaryKey, orders?.statistics.rowEstimate], [['id'], 25]);
        const { rows } = await connector.preview(fileQuery('SELECT * FROM orders ORDER BY id LIMIT 1', ['orders']), {
          limit: 5,
        });
        assert.deepEqual(rows, [
          [1, 'C0', 0, true, '2024-01-01T00:00:00.000000Z', '2024-02-29', '[{"item":0}]', null, null],
        ]);
      },
    );
  });

  it('stops a preview at its size limit with a warning, and fetches no further pages', async () => {
    const endpoint = { ...offset, columns: { id: 'INTEGER', note: 'VARCHAR' } };
    const run = async (connector: Connector, service: PagedService): Promise<void> => {
      const query = buildObjectQuery('orders', await connector.describe({}));
      assert.ok(query);
      service.requests.length = 0;
      for (const order of service.orders) order['note'] = 'x'.repeat(1_000_000);
      const { rows, truncated, sizeLimit } = await connector.preview(query, { limit: 10_000, keepCastFailures: true });
      assert.deepEqual([rows.length, truncated, sizeLimit], [67, true, maxPreviewBytes]);
      const pages = service.requests.filter((path) => !path.endsWith('limit=1'));
      assert.ok(pages.length <= 8, pages.join('\n'));
    };
    await withEndpoint(endpoint, run, { count: 200 });
  });

  it('keeps and marks a value that does not fit its column type, on request', async () => {
    await withEndpoint({ ...offset, columns: { amount: 'DOUBLE' } }, async (connector, service) => {
      const [column, bad] = ['amount', service.orders[3]];
      assert.ok(bad);
      const described = findDataObject(await connector.describe({}), 'orders');
      const place = described?.columns.findIndex(({ name }) => name === column) ?? -1;
      const query = fileQuery('SELECT * FROM orders', ['orders']);
      const whole = await connector.preview(query, { limit: 5, keepCastFailures: true });
      assert.deepEqual(whole.castFailures, undefined);
      assert.deepEqual(whole, { ...(await connector.preview(query, { limit: 5 })), durationMs: whole.durationMs });
      bad[column] = 'a lot';
      await assert.rejects(connector.preview(query, { limit: 5 }), { code: 'type-mismatch' });
      const kept = await connector.preview(query, { limit: 5, keepCastFailures: true });
      assert.deepEqual([kept.rows[3]?.[place], kept.castFailures], ['a lot', [{ row: 3, column: place }]]);
      assert.deepEqual([kept.columns, kept.truncated], [whole.columns, true]);
      assert.deepEqual(kept.rows.toSpliced(3, 1), whole.rows.toSpliced(3, 1));
    });
  });

  it('preserves every digit of large integers', async () => {
    await withEndpoint({ path: '/all' }, async (connector) => {
      const { rows } = await connector.preview(fileQuery('SELECT * FROM orders', ['orders']), { limit: 5 });
      assert.deepEqual(rows, [
        ['12345678901234567890', '1234567890123456789'],
        ['7', '"5'],
      ]);
    });
  });

  it('preserves every digit of fractions, and refuses them where the type would not', async () => {
    const query = fileQuery('SELECT rate, share FROM orders ORDER BY id', ['orders']);
    await withEndpoint({ path: '/fractions', columns: { rate: 'DECIMAL(38,18)' } }, async (connector) => {
      const { rows } = await connector.preview(query, { limit: 5 });
      assert.deepEqual(rows, [
        ['1.234567890123456789', '90071992547409.93'],
        ['0.500000000000000000', null],
      ]);
    });
    await withEndpoint({ path: '/fractions', columns: { share: 'DOUBLE' } }, async (connector) => {
      await assert.rejects(connector.preview(query, { limit: 5 }), {
        code: 'type-mismatch',
        message: /^The record 1 of orders has "90071992547409\.93" in share, which is no DOUBLE\.$/,
      });
    });
  });

  it('retries transient failures, and redacts keys in messages about others', async () => {
    await withEndpoint(offset, async (connector, service) => {
      service.failures.push(
        { status: 429, headers: { 'Retry-After': '0' } },
        { status: 503 },
        { status: 200, body: '{"data"' },
        // A byte order mark before a text is not one of its characters.
        { status: 200, body: '\uFEFF{"data":{"items":[{"id":1}]},"meta":{"total":1}}' },
      );
      assert.equal((await connector.describe({})).objects.length, 1);
      service.failures.push({ status: 403, body: 'the key key-1 may not' });
      await assert.rejects(connector.describe({}), {
        code: 'permission-denied',
        message: 'The service does not allow GET /v1/by-offset (status 403): the key *** may not',
      });
      service.failures.push({ status: 302, headers: { Location: 'https://elsewhere.example/?token=x' } });
      await assert.rejects(connector.describe({}), {
        message: 'The service redirects GET /v1/by-offset to https://elsewhere.example/.',
      });
    });
  });

  it('redacts keys in catalog warnings and in retry messages', async () => {
    const endpoints = [
      { name: 'orders', key: 'id', ...offset },
      { name: 'others', path: '/by-page', pagination: 'none' },
    ];
    await withEndpoint(
      {},
      async (connector, service) => {
        service.failures.push({ status: 403, body: 'the key key-1 may not' });
        const { warnings, objects } = await connector.describe({});
        assert.deepEqual(warnings, ['The service does not allow GET /v1/by-offset (status 403): the key *** may not']);
        assert.equal(objects.length, 1);
        const told: string[] = [];
        const onProgress = (message: string): void => void told.push(message);
        await withBuildDatabase(async (staging) => {
          const pull = await connector.openPull(staging, {});
          const query = fileQuery('SELECT id FROM orders', ['orders']);
          await pull.columnsOf(query, {});
          service.failures.push({ status: 200, body: '!key-1!' });
          await pull.load(query, 'result', { onProgress });
          await pull.close();
        });
        assert.equal(told.length, 1);
        assert.match(told[0] ?? '', /is no JSON: .*!\*\*\*!.* Trying again in 1 s\.$/);
      },
      { settings: () => ({ endpoints }) },
    );
  });

  const unreadable = [
    ['', 'source-failed', 'The service answers GET /v1/by-page with an empty body.'],
    ['fine', 'source-failed', 'The answer to GET /v1/by-page is no JSON: '],
    ['[{"id": 1}, {"id', 'connection-lost', 'The answer to GET /v1/by-page is no whole JSON: '],
    ['[{"id": 1}', 'connection-lost', 'The answer to GET /v1/by-page is no whole JSON: '],
    ['{"id": 1}\n{"id', 'connection-lost', 'The answer to GET /v1/by-page is no whole JSON: ', 'application/x-ndjson'],
  ] as const;
  for (const [body, code, said, type = null] of unreadable) {
    it(`distinguishes a truncated response from invalid JSON: ${body}`, () => {
      const answer = { status: 200, headers: { get: () => type }, text: body, size: body.length, milliseconds: 1 };
      assert.throws(
        () => readJsonResponse(answer, 'GET /v1/by-page'),
        (error: SourceError) => error.code === code && error.message.startsWith(said),
      );
    });
  }

  it('omits URL parameters from the message about a pagination loop', async () => {
    const baseUrl = new URL('https://api.example/v1');
    const endpoint = { name: 'orders', path: '/orders', parameters: {}, records: [], key: ['id'], columns: {} };
    let page = 0;
    const pages = readRestPages(
      {
        baseUrl,
        get: async () => ({
          value: [{ id: (page += 1) }],
          headers: new Headers({ Link: `</v1/orders?token=geheim${page % 2}>; rel="next"` }),
        }),
      },
      { ...endpoint, pagination: { style: 'link', pageSize: 10, total: [] } },
      {},
    );
    const readAll = async (): Promise<void> => {
      for await (const _ of pages);
    };
    await assert.rejects(readAll(), {
      message: 'The endpoint orders leads back to a page of /v1/orders that was read before.',
    });
  });

  it('gives distinct messages for configuration errors', async () => {
    const wrong: readonly (readonly [Endpoint, string, RegExp])[] = [
      [{ path: '/none' }, 'object-missing', /finds nothing for GET \/v1\/none \(status 404\)/],
      [{ path: '/by-page', records: 'items' }, 'source-failed', /^"items" in the answer of orders is not there\.$/],
      [{ path: '/by-cursor', records: 'meta' }, 'source-failed', /is no list/],
      [
        { path: '/by-page', pagination: { style: 'page', parameter: 'p' } },
        'source-failed',
        /^The endpoint orders sends the same page again\.$/,
      ],
    ];
    for (const [endpoint, code, message] of wrong) {
      await withEndpoint(endpoint, async (connector) => {
        await assert.rejects(imported(connector), { code, message });
      });
    }
    const refused: readonly (readonly [object, RegExp])[] = [
      [{ endpoints: [] }, /endpoints must be a list with at least one endpoint/],
      [
        {
          endpoints: [
            { name: 'a', path: '/a' },
            { name: 'A', path: '/b' },
          ],
        },
        /endpoints\[1\]\.name must be a name that no other/,
      ],
      [
        { endpoints: [{ name: 'a', path: '/a', pagination: { style: 'cursor' } }] },
        /endpoints\[0\]\.pagination\.next must be/,
      ],
      ...mistaken.map(([parameters, message, pagination]): readonly [object, RegExp] => [
        { endpoints: [{ name: 'a', path: '/a', parameters, ...(pagination && { pagination }) }] },
        message,
      ]),
      [{ baseUrl: 'http://api.example' }, /baseUrl must be an address that starts with https/],
      [{ baseUrl: 'https://a:b@api.example' }, /baseUrl must be without user and password/],
      [
        { auth: { kind: 'oauth2', grant: 'authorization_code', clientId: 'x', tokenUrl: 'https://api.example/t' } },
        /auth\.authorizationUrl must be given/,
      ],
      [{ auth: { kind: 'oauth2', grant: 'client_credentials', clientId: 'x' } }, /auth\.tokenUrl must be given/],
      [
        { auth: { kind: 'oauth2', grant: 'client_credentials', clientId: 'x', tokenUrl: 'http://sso.example/token' } },
        /auth\.tokenUrl must be an address that starts with https/,
      ],
    ];
    for (const [settings, message] of refused) {
      await assert.rejects(
        withEndpoint(offset, async () => undefined, { settings: () => settings }),
        { code: 'source-config', message },
      );
    }
  });

  it('fails when fewer records arrive than the service announced', async () => {
    await withEndpoint(offset, async (connector, service) => {
      await connector.describe({});
      const original = service.orders.slice;
      service.orders.slice = (from = 0, to) => original.call(service.orders, from, Math.min(to ?? 0, 20));
      await assert.rejects(imported(connector), {
        code: 'source-incomplete',
        message: /tells of 25 records, but only 20 arrived/,
      });
    });
  });

  it('shows its requests without the key', async () => {
    await withEndpoint(offset, async (connector, service) => {
      const steps = await connector.steps(fileQuery('SELECT id FROM orders', ['orders']), {
        kind: 'preview',
        limit: 5,
      });
      assert.equal(
        steps[0]?.text,
        `GET ${service.url}/by-offset?limit=100&offset=0\nAccept: application/json\nX-Api-Key: ***`,
      );
    });
  });

  it('can be imported as a graph', async () => {
    const service = await startPagedService(25, 10);
    const endpoint = { name: 'orders', key: 'id', ...offset, parameters: { since: '{{since}}' } };
    const api = {
      kind: 'rest',
      baseUrl: service.url,
      auth: { kind: 'apiKey', header: 'x-api-key', token: 'key-1' },
      endpoints: [endpoint],
    };
    const graph =
      'version: 1\nname: T\ndataSource: api\nelements:\n  - { activityName: Order, dataObject: orders, startTimestamp: at, properties: all, where: paid }\n';
    const sources = JSON.stringify({ version: 1, dataSources: { api } });
    try {
      await withProject({ 'entity-sources.json': sources, 'graph.entity.yaml': graph }, async (project) => {
        const summary = await project.import();
        assert.deepEqual([summary.error, summary.elements?.[0]?.rows], [undefined, 9]);
        const sliced = await project.import({ request: { kind: 'build', since: '2024-01-01T20:00:00.000Z' } });
        assert.deepEqual([sliced.error, sliced.elements?.[0]?.rows, sliced.totals.events], [undefined, 2, 2]);
      });
    } finally {
      await service.close();
    }
  });

  it('has nested times as JSON texts, which are times once the SQL says so', async () => {
    const records = [
      '{"id": 1, "o": {"made": "2024-07-01T10:00:00+02:00", "due": "2024-07-01T10:00:00", "n": 18446744073709551617}}',
      '{"id": 2, "o": {"made": "2024-07-01T10:00:00Z", "due": "2024-07-01T11:00:00"}}',
    ];
    const server = createServer((_, response) => response.end(`[${records.join(',')}]`)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const endpoints = [{ name: 'r', path: '/r', key: 'id' }];
    const api = { kind: 'rest', baseUrl: `http://127.0.0.1:${port}`, endpoints, timeZone: 'Europe/Berlin' };
    const sources = JSON.stringify({ version: 1, dataSources: { api } });
    const timesOf = (expression: string): Promise<unknown> => {
      const element = `{ activityName: A, dataObject: r, startTimestamp: { expression: "${expression}" }, properties: [o] }`;
      const graph = `version: 1\nname: T\ndataSource: api\nelements:\n  - ${element}\n`;
      return withProject({ 'entity-sources.json': sources, 'graph.entity.yaml': graph }, async (project) => {
        const { error } = await project.import();
        if (error) return error.message;
        return project.rows(
          "SELECT strftime(time, '%H:%M'), o->>'n' FROM event JOIN properties_1 ON event_id = id ORDER BY id",
        );
      });
    };
    try {
      assert.match(String(await timesOf('r.o.made')), /gives values of type JSON: it must give timestamps or dates/);
      assert.match(String(await timesOf("r.o->>'made'")), /gives values of type VARCHAR: it must give timestamps/);
      const digits = '18446744073709551617';
      assert.deepEqual(await timesOf("CAST(r.o->>'made' AS TIMESTAMPTZ)"), [['08:00', digits], ['10:00', null]]); // prettier-ignore
      assert.deepEqual(await timesOf("CAST(r.o->>'due' AS TIMESTAMP)"), [['08:00', digits], ['09:00', null]]); // prettier-ignore
    } finally {
      server.close();
    }
  });

  it('takes endpoints, types and pagination from an OpenAPI document without requests to the endpoints', async () => {
    await withEndpoint(
      {},
      async (connector, service) => {
        const catalog = await connector.describe({});
        assert.deepEqual(service.requests, ['/v1/openapi.json']);
        const [orders, ...others] = catalog.objects;
        assert.deepEqual([others.length, orders?.name, orders?.comment], [0, 'by-offset', 'Orders, the oldest first']);
        assert.deepEqual(
          orders?.columns.map(({ name, type, primaryKey }) => `${name} ${type}${primaryKey ? ' key' : ''}`),
          [
            'id BIGINT key',
            'customer VARCHAR',
            'amount DOUBLE',
            'paid BOOLEAN',
            'at TIMESTAMP WITH TIME ZONE',
            'day DATE',
            'lines JSON',
            'note VARCHAR',
          ],
        );
        assert.deepEqual(orders?.columns[1]?.values, [{ value: 'C0' }, { value: 'C1' }]);
        const [row] = await imported(connector, 'SELECT count(*), max("day") FROM "by-offset"', 'by-offset');
        assert.deepEqual(row?.map(String), ['25', '2024-02-29']);
      },
      { settings: (url) => ({ openapi: `${url}/openapi.json`, endpoints: undefined }) },
    );
  });

  it('endpoint settings override the document, and documents of other hosts are refused', async () => {
    const settings = (url: string) => ({ openapi: `${url}/openapi.json` });
    const own = { path: 'by-offset', columns: { amount: 'DECIMAL(9,1)' } };
    await withEndpoint(
      own,
      async (connector, service) => {
        const { objects } = await connector.describe({});
        assert.deepEqual(
          objects.map(({ name, comment }) => [name, comment]),
          [['orders', 'Orders, the oldest first']],
        );
        assert.equal(findDataObject(await connector.describe({}), 'orders')?.columns[2]?.type, 'DECIMAL(9,1)');
        assert.ok(service.requests.includes('/v1/by-offset?limit=100&offset=0'));
      },
      { settings },
    );
    for (const openapi of ['https://other.example/openapi.json', 'none.yaml']) {
      const message = openapi.startsWith('https')
        ? /openapi must be a file, or an address that starts with/
        : /none\.yaml cannot be read/;
      await assert.rejects(
        withEndpoint(own, (connector) => connector.describe({}), { settings: () => ({ openapi }) }),
        (error: Error) => message.test(error.message),
      );
    }
  });
});
