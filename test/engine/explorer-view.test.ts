import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { exploreSend, exploreSource, exploreText } from '../../server/src/operations/platform/api-explorer.ts';
import {
  connectorOf,
  findSource,
  readSourcesFile,
  type ProjectContext,
} from '../../server/src/project/open-project.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { noSecrets } from '../support/no-secrets.ts';

const listOf = (items: object) => ({
  get: { responses: { 200: { content: { 'application/json': { schema: { type: 'array', items } } } } } },
});
const document = {
  openapi: '3.1.0',
  paths: {
    '/orders': listOf({ type: 'object', properties: { id: { type: 'integer' } } }),
    '/customers': { $ref: 'customers.yaml#/paths/customers' },
    '/orders/{id}': { $ref: 'order.json' },
  },
};
/** Reading records does not need it. */
const order = { put: { summary: 'Replaces an order', parameters: [{ name: 'id', in: 'path', required: true }] } };

describe('API explorer › endpoints of an OpenAPI document', () => {
  let server: Server;
  let folder = '';
  const asked: string[] = [];
  before(async () => {
    server = createServer(({ url }, response) => {
      const found = { '/openapi.json': document, '/order.json': order }[url ?? ''];
      asked.push(url ?? '');
      response.writeHead(found ? 200 : 404, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(found ?? {}));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const source = (openapi: string): string =>
      `{ kind: rest, baseUrl: '${base}', openapi: ${openapi}, endpoints: [{ name: mine, path: /mine }] }`;
    const sources = {
      file: 'openapi.json',
      missing: 'none.json',
      remote: `'${base}/openapi.json'`,
      gone: `'${base}/gone.json'`,
    };
    const lines = Object.entries(sources).map(([name, openapi]) => `  ${name}: ${source(openapi)}\n`);
    const empty = `  empty: { kind: rest, baseUrl: '${base}' }\n`;
    folder = await folderWith({
      'entity-sources.yaml': `version: 1\ndataSources:\n${lines.join('')}${empty}`,
      'openapi.json': JSON.stringify(document),
      'order.json': JSON.stringify(order),
    });
  });
  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    await removeFolder(folder);
  });

  /** One row per source: the proposed endpoints, and messages about others. */
  const cases: readonly (readonly [source: string, labels: readonly string[], said: RegExp | undefined])[] = [
    ['file', ['mine', 'orders', 'PUT /orders/{id}'], /customers\.yaml.*left out/],
    ['remote', ['mine', 'orders', 'PUT /orders/{id}'], /customers\.yaml.*left out/],
    ['missing', ['mine'], /The OpenAPI document .*none\.json cannot be read/],
    ['gone', ['mine'], /gone\.json/],
    ['empty', [], undefined],
  ];
  for (const [name, labels, said] of cases) {
    it(`are listed as far as the document is readable: ${name}`, async () => {
      const projectContext = projectContextOf(folder);
      const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
      const { endpoints, warnings } = await exploreSource(file, findSource(file, name), projectContext);
      assert.deepEqual(
        endpoints.map(({ label }) => label),
        labels,
      );
      assert.equal(warnings.length, said ? 1 : 0, warnings.join('\n'));
      if (said) assert.match(warnings[0] ?? '', said);
    });
  }

  it('further documents are loaded only for listed endpoints', async () => {
    const projectContext = projectContextOf(folder);
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    asked.length = 0;
    const connector = await connectorOf(file, findSource(file, 'remote'), projectContext);
    await connector.describe({}).finally(() => connector.close());
    assert.ok(asked.includes('/openapi.json') && !asked.includes('/order.json'), asked.join());
  });

  it('are sent only when each path parameter has a value', async () => {
    const projectContext = projectContextOf(folder);
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    const request = { method: 'PUT', path: '/orders/{id}', parameters: [], body: '' } as const;
    asked.length = 0;
    const sending = exploreSend(file, findSource(file, 'file'), request, projectContext, new AbortController().signal);
    await assert.rejects(sending, { code: 'source-config', message: 'The path leaves {id} open.' });
    assert.deepEqual(asked, []);
  });

  it('are asked for JSON first; the file of an attachment of an instance for any type', async () => {
    const instance = await folderWith({
      'entity-sources.yaml': `{ version: 1, dataSources: { itsm: { kind: servicenow, instanceUrl: 'https://acme.example', auth: { kind: basic, user: u, password: '\${secret:p}' } }, shop: { kind: rest, baseUrl: 'https://shop.example' }, own: { kind: rest, baseUrl: 'https://own.example', headers: { accept: text/csv, X-Tenant: acme } } } }`,
    });
    try {
      const projectContext = projectContextOf(instance);
      const file = await readSourcesFile(join(instance, 'entity-sources.yaml'), projectContext);
      const textOf = async (source: string, path: string): Promise<string> => {
        const request = { method: 'GET', path, parameters: [], body: '' } as const;
        return (await exploreText(file, findSource(file, source), request, projectContext)).http;
      };
      const acceptOf = async (source: string, path: string): Promise<string | undefined> =>
        /^Accept: (.*)$/m.exec(await textOf(source, path))?.[1];
      const attachment = '/api/now/attachment/0123456789abcdef0123456789abcdef/file';
      assert.equal(await acceptOf('itsm', attachment), '*/*');
      assert.equal(await acceptOf('itsm', '/api/now/table/incident'), 'application/json, */*;q=0.5');
      assert.equal(await acceptOf('shop', attachment), 'application/json, */*;q=0.5');
      assert.equal(await textOf('own', '/orders'), 'GET https://own.example/orders\naccept: text/csv\nX-Tenant: acme');
    } finally {
      await removeFolder(instance);
    }
  });

  it('on an instance take columns from the catalog', async () => {
    const instance = await folderWith({
      'entity-sources.yaml': `{ version: 1, dataSources: { itsm: { kind: servicenow, instanceUrl: 'https://acme.example', auth: { kind: basic, user: u, password: '\${secret:p}' } } } }`,
    });
    try {
      const projectContext = {
        ...projectContextOf(instance),
        permitUses: permitAllUses,
        readSecret: async () => 'hush',
      };
      const file = await readSourcesFile(join(instance, 'entity-sources.yaml'), projectContext);
      const number = { name: 'number', type: 'VARCHAR', sense: 'text', nullable: true, primaryKey: false } as const;
      const object = { name: 'incident', kind: 'table', path: ['incident'], columns: [number] } as const;
      const catalog: Catalog = {
        ...{ dataSource: 'itsm', kind: 'servicenow', complete: true, readAt: '', warnings: [] },
        dialect: 'duckdb',
        objects: [{ ...object, primaryKey: [], foreignKeys: [], statistics: { columnCount: 1 } }],
      };
      const view = await exploreSource(file, findSource(file, 'itsm'), projectContext, catalog);
      assert.deepEqual(view.columns, { incident: [{ name: 'number', type: 'VARCHAR' }] });
      const named = view.endpoints.find(({ label }) => label === 'Records of incident')?.parameters ?? [];
      assert.deepEqual(
        named.filter(({ names }) => names).map(({ name, names }) => [name, names]),
        [
          ['sysparm_query', 'query'],
          ['sysparm_fields', 'columns'],
        ],
      );
    } finally {
      await removeFolder(instance);
    }
  });
});

function projectContextOf(folder: string): ProjectContext {
  return {
    openText: () => undefined,
    ...noSecrets,
    workspaceFolderOf: () => folder,
  };
}
