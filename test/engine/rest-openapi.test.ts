import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from '../support/create-connector.ts';
import { exploreSource } from '../../server/src/operations/platform/api-explorer.ts';
import { findSource, readSourcesFile } from '../../server/src/project/open-project.ts';
import { startPagedService, type PagedService } from '../simulator/paged-service.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { noSecrets } from '../support/no-secrets.ts';

const order = {
  properties: {
    id: { type: 'integer' },
    customer: { type: 'string', enum: ['C0', 'C1'], description: 'Who ordered' },
    at: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    amount: { type: 'number' },
    paid: { type: 'boolean' },
    lines: { type: 'array', items: { type: 'object' } },
  },
};
const page = { properties: { items: { type: 'array', items: { $ref: '#/definitions/Order' } } } };

/**
 * The same interface in both versions: parameters, responses and schemas by reference, below the path of its server.
 */
const version2 = {
  swagger: '2.0',
  host: 'elsewhere.example',
  basePath: '/v1/',
  paths: {
    '/by-cursor': {
      parameters: [{ $ref: '#/parameters/After' }],
      get: { description: 'Orders', responses: { 200: { $ref: '#/responses/Page' } } },
    },
    '/by-id/{id}': { get: { responses: { 200: { schema: { $ref: '#/definitions/Order' } } } } },
  },
  parameters: { After: { name: 'after', in: 'query', type: 'string' } },
  responses: { Page: { description: 'A page', schema: { $ref: '#/definitions/Page' } } },
  definitions: {
    Order: order,
    Page: { allOf: [page, { properties: { meta: { properties: { next: { type: 'string' } } } } }] },
  },
};

const inComponents = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll('#/definitions/', '#/components/schemas/')
      .replaceAll('#/parameters/', '#/components/parameters/')
      .replaceAll('#/responses/', '#/components/responses/'),
  );

const version3 = {
  openapi: '3.1.0',
  servers: [
    { url: 'https://{region}.example/{base}', variables: { region: { default: 'eu' }, base: { default: 'v1' } } },
  ],
  paths: inComponents(version2.paths),
  components: {
    parameters: { After: { name: 'after', in: 'query', schema: { type: 'string' } } },
    responses: {
      Page: {
        description: 'A page',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } },
      },
    },
    schemas: inComponents(version2.definitions),
  },
};

/** One row per document: how it is written, and whether baseUrl contains the path of its server. */
const documents: readonly (readonly [name: string, file: string, text: string, baseHasPath: boolean])[] = [
  ['version 3 in JSON', 'api.json', JSON.stringify(version3), true],
  ['version 3 in YAML, below the path of its server', 'api.yaml', stringify(version3), false],
  ['version 2 in JSON, below the path of its server', 'swagger.json', JSON.stringify(version2), false],
  ['version 2 in YAML', 'swagger.yml', stringify(version2), true],
];

/** One row per way in which a document declares that pages start at 0 with at most 10 records. */
const zeroBased: readonly (readonly [what: string, page: object, limit: object])[] = [
  ['defaults of schemas', { schema: { default: 0 } }, { schema: { maximum: 10 } }],
  ['bounds of schemas by reference', { schema: { $ref: '#/components/schemas/Index' } }, { schema: { maximum: 10.0 } }],
  ['version 2.0', { type: 'integer', minimum: 0 }, { type: 'integer', maximum: 10 }],
  ['texts', { schema: { default: '0' } }, { schema: { maximum: '10' } }],
];

function indexedDocument(page: object, limit: object) {
  const items = { type: 'array', items: { $ref: '#/components/schemas/Order' } };
  const responses = { 200: { content: { 'application/json': { schema: items } } } };
  const parameters = [
    { name: 'page', in: 'query', ...page },
    { name: 'limit', in: 'query', ...limit },
  ];
  const schemas = { Order: order, Index: { type: 'integer', minimum: 0 } };
  return { openapi: '3.0.3', paths: { '/by-index': { get: { parameters, responses } } }, components: { schemas } };
}

async function countOf(connector: Connector, name: string): Promise<number> {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    try {
      await pull.load(fileQuery(`SELECT count(DISTINCT id) FROM "${name}"`, [name]), 'result', {});
      return Number((await staging.table('SELECT * FROM result')).rows[0]?.[0]);
    } finally {
      await pull.close();
    }
  });
}

async function check(connector: Connector): Promise<void> {
  const { objects } = await connector.describe({});
  assert.deepEqual(
    objects.map(({ name, comment }) => [name, comment]),
    [['by-cursor', 'Orders']],
  );
  assert.deepEqual(
    objects[0]?.columns.map(({ name, type, primaryKey }) => `${name} ${type}${primaryKey ? ' key' : ''}`),
    [
      'id BIGINT key',
      'customer VARCHAR',
      'at TIMESTAMP WITH TIME ZONE',
      'day DATE',
      'amount DOUBLE',
      'paid BOOLEAN',
      'lines JSON',
    ],
  );
  assert.deepEqual([objects[0].columns[1]?.comment, objects[0].columns[1]?.values?.length], ['Who ordered', 2]);
  assert.equal(await countOf(connector, 'by-cursor'), 25);
}

describe('REST source › OpenAPI documents', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith(Object.fromEntries(documents.map(([, file, text]) => [file, text])));
  });
  after(() => removeFolder(folder));

  async function withDocument(
    texts: Readonly<Record<string, string>>,
    settings: (service: PagedService) => object,
    use: (connector: Connector, service: PagedService) => Promise<void>,
  ): Promise<void> {
    const service = await startPagedService(25, 10, { texts });
    try {
      const auth = { kind: 'apiKey', header: 'X-Api-Key', token: 'key-1' };
      const source = dataSource('api', { kind: 'rest', baseUrl: service.url, auth, ...settings(service) });
      const context = { folder, ...noSecrets };
      const connector = await createConnector(source, context);
      await use(connector, service).finally(() => connector.close());
    } finally {
      await service.close();
    }
  }

  for (const [name, file, text, baseHasPath] of documents) {
    const base = (service: PagedService) => (baseHasPath ? service.url : service.url.replace('/v1', ''));
    it(`endpoints of ${name} are read from a file`, async () => {
      await withDocument({}, (service) => ({ baseUrl: base(service), openapi: file }), check);
    });

    it(`endpoints of ${name} are read from the service, with its login and retries`, async () => {
      const path = `/docs/${file}`;
      const settings = (service: PagedService) => ({
        baseUrl: base(service),
        openapi: service.url.replace('/v1', path),
      });
      await withDocument({ [path]: text }, settings, async (connector, service) => {
        service.failures.push({ status: 503 }, { status: 429, headers: { 'Retry-After': '0' } });
        await check(connector);
        assert.deepEqual(new Set(service.requests.slice(0, 3)), new Set([path]));
      });
    });
  }

  it('are refused in bytes that are no text, as names would change', async () => {
    const bytes = Buffer.from('openapi: 3.0.3\ninfo: { title: M\u00fcnchen }\npaths: {}\n', 'latin1');
    await writeFile(join(folder, 'latin.yaml'), bytes);
    await withDocument(
      {},
      () => ({ openapi: 'latin.yaml' }),
      async (connector) => {
        await assert.rejects(connector.describe({}), {
          code: 'file-missing',
          message: /cannot be read: it is not UTF-8/,
        });
      },
    );
    const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', '/docs/latin.yaml') });
    await withDocument({}, settings, async (connector, { failures }) => {
      failures.push({ status: 200, body: bytes, headers: { 'Content-Type': 'application/yaml' } });
      await assert.rejects(connector.describe({}), { message: /sends bytes that are no text in UTF-8/ });
    });
  });

  for (const [what, page, limit] of zeroBased) {
    it(`${what} describes where the first page is and the page size limit`, async () => {
      const path = '/docs/indexed.json';
      const texts = { [path]: JSON.stringify(indexedDocument(page, limit)) };
      const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', path) });
      await withDocument(texts, settings, async (connector, service) => {
        assert.equal(await countOf(connector, 'by-index'), 25);
        const pages = service.requests.filter((each) => each.startsWith('/v1/by-index'));
        assert.deepEqual(
          pages,
          [0, 1, 2, 3].map((index) => `/v1/by-index?limit=10&page=${index}`),
        );
      });
    });
  }

  /** The interface in several files that refer to one another, also in circles. */
  const parts = {
    'root.yaml': stringify({ openapi: '3.0.3', paths: { $ref: './parts/paths.yaml' } }),
    'parts/paths.yaml': stringify({
      '/by-cursor': { $ref: 'by%20cursor.json#/paths/~1by-cursor' },
      '/by-id/{id}': { $ref: 'unread.json' },
      '/again': { $ref: '#/~1by-cursor' },
    }),
    'parts/by cursor.json': JSON.stringify({
      paths: {
        '/by-cursor': {
          parameters: [{ $ref: '../common/all.yaml#/list/0' }],
          get: { description: 'Orders', responses: { 200: { $ref: '#/answer' } } },
        },
      },
      answer: { content: { 'application/json': { schema: { $ref: '../common/all.yaml#/Page' } } } },
    }),
    'common/all.yaml': stringify({
      list: [{ name: 'after', in: 'query', schema: { type: 'string' } }],
      Page: {
        properties: {
          items: { type: 'array', items: { $ref: 'order.yaml' } },
          meta: { properties: { next: { type: 'string' } } },
          root: { $ref: '../root.yaml#/openapi/none' },
        },
      },
    }),
    'common/order.yaml': stringify({
      ...order,
      allOf: [{ $ref: '#' }, { $ref: 'all.yaml#/Page/properties/items/items' }],
    }),
  };

  it('are assembled from files that refer to one another', async () => {
    const inFiles = await folderWith(parts);
    try {
      await withDocument(
        {},
        () => ({ openapi: join(inFiles, 'root.yaml') }),
        async (connector) => {
          const { objects, warnings, complete } = await connector.describe({});
          assert.deepEqual(
            objects.map(({ name }) => name),
            ['by-cursor', 'again'],
          );
          assert.deepEqual(warnings, [
            'The OpenAPI document refers to root.yaml#/openapi/none, which is left out. It contains nothing usable.',
          ]);
          assert.equal(complete, false);
          assert.deepEqual(
            objects[0]?.columns.map(({ name }) => name),
            Object.keys(order.properties),
          );
          assert.equal(await countOf(connector, 'by-cursor'), 25);
        },
      );
    } finally {
      await removeFolder(inFiles);
    }
  });

  it('are assembled from documents of the service, each read once, with its login', async () => {
    const texts = Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [`/docs/${name.replace(' ', '%20')}`, text]),
    );
    const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', '/docs/root.yaml') });
    await withDocument(texts, settings, async (connector, service) => {
      assert.equal(await countOf(connector, 'by-cursor'), 25);
      const read = service.requests.filter((each) => each.startsWith('/docs/'));
      assert.deepEqual(read.sort(), Object.keys(texts).sort());
    });
  });

  const orders = (reference: string) => ({
    openapi: '3.0.3',
    paths: {
      '/by-offset': {
        get: {
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: {
                    type: 'array',
                    items: { properties: { id: { type: 'integer' }, other: { $ref: reference } } },
                  },
                },
              },
            },
          },
        },
      },
    },
    components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } },
  });

  it('endpoints with a required parameter without a value are listed; settings make them readable', async () => {
    const responses = {
      200: { content: { 'application/json': { schema: { properties: { items: { type: 'array', items: order } } } } } },
    };
    const wanting = (...names: readonly string[]) => ({
      get: { parameters: names.map((name) => ({ name, in: 'query', required: true })), responses },
    });
    const others = Array.from({ length: 6 }, (_, index) => [`/other-${index}`, wanting('q', 'from')]);
    const paths = { '/by-cursor': wanting('after'), ...(Object.fromEntries(others) as object) };
    const inFiles = await folderWith({ 'api.json': JSON.stringify({ openapi: '3.0.3', paths }) });
    const openapi = join(inFiles, 'api.json');
    const told = (named: string): string =>
      `Endpoints of the OpenAPI document that want a value which it does not give are left out: ${named}. ` +
      'Describe the endpoint under endpoints of the data source: its path, parameter values, and the parameters for pages under pagination.';
    try {
      await withDocument(
        {},
        () => ({ openapi }),
        async (connector) => {
          const { objects, warnings, complete } = await connector.describe({});
          const named =
            '/by-cursor (after), /other-0 (q, from), /other-1 (q, from), /other-2 (q, from), /other-3 (q, from), 2 more';
          assert.deepEqual([objects, warnings, complete], [[], [told(named)], true]);
        },
      );
      const pagination = { style: 'cursor', parameter: 'after', next: 'meta.next' };
      const own = { name: 'orders', path: '/by-cursor', parameters: { after: '0' }, pagination };
      await withDocument(
        {},
        () => ({ openapi, endpoints: [own] }),
        async (connector, service) => {
          const { objects, warnings } = await connector.describe({});
          assert.match(warnings[0] ?? '', /left out: \/other-0/);
          assert.equal(objects[0]?.columns.find(({ name }) => name === 'customer')?.comment, 'Who ordered');
          assert.equal(await countOf(connector, 'orders'), 25);
          assert.deepEqual(
            service.requests.slice(-3),
            [0, 10, 20].map((place) => `/v1/by-cursor?after=${place}`),
          );
        },
      );
    } finally {
      await removeFolder(inFiles);
    }
  });

  it('the API explorer lists missing parameters', async () => {
    const sourcesText = (openapi: string) =>
      stringify({ version: 1, dataSources: { api: { kind: 'rest', baseUrl: 'http://127.0.0.1:1', openapi } } });
    const inFiles = await folderWith({
      'whole.json': JSON.stringify(version3),
      'lacking.json': JSON.stringify(orders('none.yaml')),
      'entity-sources.yaml': sourcesText('whole.json'),
    });
    try {
      const projectContext = { ...noSecrets };
      const explored = async () => {
        const file = await readSourcesFile(join(inFiles, 'entity-sources.yaml'), projectContext);
        return exploreSource(file, findSource(file, 'api'), projectContext);
      };
      assert.deepEqual((await explored()).warnings, []);
      await writeFile(join(inFiles, 'entity-sources.yaml'), sourcesText('lacking.json'));
      const { endpoints, warnings } = await explored();
      assert.equal(endpoints.length, 1);
      assert.match(warnings.join(), /^The OpenAPI document refers to none\.yaml, which is left out\./);
    } finally {
      await removeFolder(inFiles);
    }
  });

  /** One row per reference to a missing file, how it is displayed, and why. */
  const leftOut: readonly (readonly [reference: string, shown: string, why: RegExp])[] = [
    ['none.yaml#/A', 'none.yaml#/A', /none\.yaml cannot be read: ENOENT/],
    ['./broken.yaml', 'broken.yaml', /broken\.yaml is not an OpenAPI document: it is neither JSON nor YAML/],
    [
      'circle.yaml',
      'circle.yaml',
      /circle\.yaml is not an OpenAPI document: it is neither JSON nor YAML \(its aliases/,
    ],
    ['parts', 'parts', /parts cannot be read: it is not a file/],
    ['../root.json#/A', '../root.json#/A', /cannot be read: ENOENT/],
    ['part.json#/A/none', 'part.json#/A/none', /It contains nothing usable\./],
    ['part.json#/%A/constructor', 'part.json#/%A/constructor', /It contains nothing usable\./],
    ['part.json#Anchor', 'part.json#Anchor', /It contains nothing usable\./],
    [
      '#/components/schemas/Loop',
      '#/components/schemas/Loop',
      /It leads in a circle, or over more than 20 references\./,
    ],
    ['a%2Fb.json', 'a%2Fb.json', /Only files are read, by paths relative to that of the document\./],
    ['/etc/hostname', '/etc/hostname', /Only files are read/],
    ['file:///etc/hostname', 'file:///etc/hostname', /Only files are read/],
    ['C:/part.json', 'C:/part.json', /Only files are read/],
    ['\\\\host\\part.json', '\\\\host\\part.json', /Only files are read/],
    ['https://elsewhere.example/a.json', 'https://elsewhere.example/a.json', /Only files are read/],
  ];
  for (const [reference, shown, why] of leftOut) {
    it(`the reference ${reference} of a file is omitted with a warning`, async () => {
      const inFiles = await folderWith({
        'api.json': JSON.stringify(orders(reference)),
        'part.json': '{ "A": { "type": "string" } }',
        'broken.yaml': 'a: [b',
        'circle.yaml': 'type: string\nenum: &all [*all]',
        'parts/empty.txt': '',
      });
      try {
        await withDocument(
          {},
          () => ({ openapi: join(inFiles, 'api.json') }),
          async (connector) => {
            const { objects, warnings } = await connector.describe({});
            assert.deepEqual(
              objects[0]?.columns.map(({ name, type }) => `${name} ${type}`),
              ['id BIGINT', 'other VARCHAR'],
            );
            assert.equal(warnings.length, 1);
            const beginning = `The OpenAPI document refers to ${shown}, which is left out. `;
            assert.equal(warnings[0]?.slice(0, beginning.length), beginning);
            assert.match(warnings[0] ?? '', why);
          },
        );
      } finally {
        await removeFolder(inFiles);
      }
    });
  }

  it('references to another host are not followed', async () => {
    const stranger = await startPagedService(1, 1, { texts: { '/part.json': '{ "type": "integer" }' } });
    const reference = stranger.url.replace('/v1', '/part.json');
    const texts = { '/docs/api.json': JSON.stringify(orders(reference)) };
    const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', '/docs/api.json') });
    try {
      await withDocument(texts, settings, async (connector, { url }) => {
        const { warnings } = await connector.describe({});
        assert.deepEqual(warnings, [
          `The OpenAPI document refers to ${reference}, which is left out. Only documents at ${new URL(url).origin} are read.`,
        ]);
        assert.deepEqual(stranger.requests, []);
      });
    } finally {
      await stranger.close();
    }
  });

  it('endless chains of references are stopped', async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`/docs/${index}.json`, JSON.stringify({ $ref: `${index + 1}.json` })]),
    );
    const texts = { ...chain, '/docs/api.json': JSON.stringify(orders('0.json')) };
    const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', '/docs/api.json') });
    await withDocument(texts, settings, async (connector, { requests, url }) => {
      const { warnings } = await connector.describe({});
      assert.deepEqual(warnings, [
        `The OpenAPI document refers to ${url.replace('/v1', '/docs/19.json')}#, which is left out. It leads in a circle, or over more than 20 references.`,
      ]);
      assert.equal(requests.filter((each) => /^\/docs\/\d+\.json$/.test(each)).length, 20);
    });
  });

  it('at most 200 documents are read, with a warning', async () => {
    const names = Array.from({ length: 205 }, (_, index) => `${index}.json`);
    const properties = Object.fromEntries(names.map((name, index) => [`p${index}`, { $ref: name }]));
    const schema = { type: 'array', items: { properties } };
    const root = { paths: { '/a': { get: { responses: { 200: { schema } } } } } };
    const files = Object.fromEntries(names.map((name) => [name, '{ "type": "integer" }']));
    const inFiles = await folderWith({ ...files, 'api.json': JSON.stringify(root) });
    try {
      await withDocument(
        {},
        () => ({ openapi: join(inFiles, 'api.json') }),
        async (connector) => {
          const { objects, warnings } = await connector.describe({});
          const types = objects[0]?.columns.map(({ type }) => type) ?? [];
          assert.equal(types.filter((type) => type === 'BIGINT').length, 199);
          assert.equal(warnings.length, 6);
          assert.match(warnings[0] ?? '', /refers to 199\.json, which is left out\. More than 200 documents/);
        },
      );
    } finally {
      await removeFolder(inFiles);
    }
  });

  /** The response at the address instead of a document, and the message. */
  const wrong: readonly (readonly [path: string, said: RegExp])[] = [
    ['/docs/none.json', /\/docs\/none\.json is not an OpenAPI document: the service answers with status 404/],
    ['/docs/page.html', /is not an OpenAPI document: it has no paths/],
    ['/docs/broken.yaml', /is neither JSON nor YAML/],
  ];
  for (const [path, said] of wrong) {
    it(`${path} is not accepted as a document`, async () => {
      const texts = { '/docs/page.html': '<html></html>', '/docs/broken.yaml': 'a: [b' };
      const settings = ({ url }: PagedService) => ({ openapi: url.replace('/v1', path) });
      await withDocument(texts, settings, async (connector) => {
        await assert.rejects(connector.describe({}), { code: 'source-config', message: said });
      });
    });
  }
});
