import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ApiExchange, ApiRequest } from '../../protocol/api-explorer.ts';
import { exploreSend } from '../../server/src/operations/platform/api-explorer.ts';
import { findSource, readSourcesFile, type ProjectContext } from '../../server/src/project/open-project.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const megabyte = Buffer.alloc(1024 * 1024, 'x');

/** One row per path: the service's response. */
const answers: Readonly<Record<string, (response: ServerResponse, login: string) => void>> = {
  '/echo': (response, login) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'X-Login': login });
    response.end(JSON.stringify({ headers: { authorization: login }, password: 'say "geheim"' }));
  },
  '/page': (response) => {
    response.writeHead(503, { 'Content-Type': 'text/html; charset=iso-8859-1' });
    response.end(Buffer.from('<h1>Zur\xfcck</h1>', 'latin1'));
  },
  '/page-of-today': (response) => {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=iso-8859-1' });
    response.end(Buffer.from('<h1>Zur\xfcck</h1>', 'latin1'));
  },
  '/lines': (response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.end('{"id": 1, "name": "a"}\n{"id": 2, "name": "b"}\n');
  },
  '/bare': (response) => response.writeHead(204).end(),
  '/picture': (response) =>
    response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.from([137, 80, 78, 71])),
  '/stated-file': (response) => {
    response.writeHead(200, { 'Content-Type': 'application/zip', 'Content-Length': String(megabyte.length * 400) });
    pour(response, 400);
  },
  '/endless-file': (response) => pour(response.writeHead(200, { 'Content-Type': 'application/zip' }), Infinity),
  '/endless-text': (response) => pour(response.writeHead(200, { 'Content-Type': 'text/plain' }), Infinity),
  '/long': (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ items: Array.from({ length: 50_000 }, (_, id) => ({ id, name: 'a name' })) }));
  },
};

/** Megabytes, as long as someone reads them. */
function pour(response: ServerResponse, count: number): void {
  let left = count;
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(megabyte)) return void response.once('drain', more);
    }
    if (left === 0) response.end();
  };
  more();
}

describe('API explorer › responses', () => {
  let server: Server;
  let folder = '';
  const tenants: unknown[] = [];
  before(async () => {
    server = createServer(({ url = '', headers }, response) => {
      tenants.push(headers['x-tenant']);
      answers[url]?.(response, headers.authorization ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // One password is a secret, the other is written in the file.
    const source = (password: string): string =>
      `{ kind: rest, baseUrl: 'http://127.0.0.1:${port}', auth: { kind: basic, user: u, password: '${password}' }, headers: { X-Tenant: acme }, endpoints: [] }`;
    const sources = `version: 1\ndataSources:\n  api: ${source('${secret:api}')}\n  open: ${source('say "geheim"')}\n`;
    folder = await folderWith({ 'entity-sources.yaml': sources });
  });
  after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await removeFolder(folder);
  });

  async function send(path: string, source = 'api'): Promise<ApiExchange> {
    const projectContext: ProjectContext = {
      openText: () => undefined,
      permitUses: permitAllUses,
      readSecret: async () => 'say "geheim"',
      environment: {},
      workspaceFolderOf: () => folder,
    };
    const file = await readSourcesFile(join(folder, 'entity-sources.yaml'), projectContext);
    const request: ApiRequest = { method: 'GET', path, parameters: [], body: '' };
    return exploreSend(file, findSource(file, source), request, projectContext, new AbortController().signal);
  }

  for (const source of ['api', 'open']) {
    it(`contain no credentials, from ${source}`, async () => {
      const { body, headers } = await send('/echo', source);
      assert.equal(body, '{\n  "headers": {\n    "authorization": "Basic ***"\n  },\n  "password": "***"\n}');
      assert.equal(headers.find(({ name }) => name === 'x-login')?.value, 'Basic ***');
    });
  }

  it('are decoded by their charset, shown as bytes when binary, and as empty when empty', async () => {
    assert.equal((await send('/page-of-today')).body, '<h1>Zurück</h1>');
    const page = await send('/page');
    assert.deepEqual([page.status, page.reason, page.body.slice(0, 7)], [503, 'Service Unavailable', '<h1>Zur']);
    assert.equal((await send('/picture')).body, '<4 bytes of image/png>');
    const { status, body, bytes } = await send('/bare');
    assert.deepEqual([status, body, bytes], [204, '', 0]);
  });

  it('are read completely to derive columns', async () => {
    const { body, isCut, isPart, recordCount, columns, bytes } = await send('/long');
    assert.equal((JSON.parse(body) as { items: readonly unknown[] }).items.length, 50_000);
    assert.deepEqual([isCut, isPart, recordCount], [false, undefined, 50_000]);
    assert.deepEqual(
      columns.map(({ name }) => name),
      ['id', 'name'],
    );
    assert.ok(bytes > 1_000_000);
  });

  it('have columns where they are lines of JSON, and belong to requests with the headers of the settings', async () => {
    const { recordCount, columns, list } = await send('/lines');
    assert.deepEqual([recordCount, columns.map(({ type }) => type), list?.records], [2, ['BIGINT', 'VARCHAR'], '']);
    assert.equal(tenants.at(-1), 'acme');
  });

  it('are read up to a size limit', async () => {
    const stated = await send('/stated-file');
    assert.equal(stated.body, `<${megabyte.length * 400} bytes of application/zip>`);
    const file = await send('/endless-file');
    assert.match(file.body, /^<more than 1[67]\d{6} bytes of application\/zip>$/);
    const text = await send('/endless-text');
    assert.deepEqual([text.isCut, text.isPart, text.body.length, text.columns], [true, true, 16 * megabyte.length, []]);
  });
});
