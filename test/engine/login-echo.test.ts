import assert from 'node:assert/strict';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const user = 'ann&co';
const password = 'p"ä/ss wörd+1';
const login = `${user}:${password}`;
const env = { LOGIN_USER: user, LOGIN_PASSWORD: password };

const graph = `version: 1
name: Orders
dataSource: shop
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed_at, properties: [id] }
`;

/** All encodings in which a service may return a value. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'URL-encoded': encodeURIComponent,
  form: (text) => new URLSearchParams({ '': text }).toString().slice(1),
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'JSON in ASCII': (text) => JSON.stringify(text).slice(1, -1).replaceAll('ä', '\\u00e4').replaceAll('ö', '\\u00F6'),
  HTML: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  Base64: (text) => Buffer.from(text).toString('base64'),
  'Base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
};

/** Texts that must not occur anywhere. */
const traces = Object.values(writings).flatMap((write) => [write(login), write(password)]);

/** Each source kind, with a login of its own origin. */
const sources: readonly (readonly [title: string, source: (url: string) => string])[] = [
  [
    'servicenow: does not show or store a login from the environment',
    (url) =>
      `kind: servicenow, instanceUrl: "${url}", tables: [orders], auth: { kind: basic, user: "\${env:LOGIN_USER}", password: "\${env:LOGIN_PASSWORD}" }`,
  ],
  [
    'rest: does not show or store a login written in the file',
    (url) =>
      `kind: rest, baseUrl: "${url}", auth: { kind: basic, user: ${JSON.stringify(user)}, password: ${JSON.stringify(password)} }, endpoints: [{ name: orders, path: /orders, key: id }]`,
  ],
];

describe('credentials echoed by a service', () => {
  let server: Server;
  let echo = '';
  let url = '';
  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(403, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: { message: `You are ${echo}`, detail: echo }, status: 'failure' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  for (const [title, source] of sources) {
    it(title, async () => {
      const text = `version: 1\ndataSources:\n  shop: { ${source(url)} }\n`;
      const folder = await folderWith({ 'entity-sources.yaml': text, 'o.entity.yaml': graph });
      const told: string[] = [];
      for (const [how, write] of Object.entries(writings)) {
        echo = how.startsWith('Base64') ? `Basic ${write(login)}` : write(login);
        const args = ['import', 'o.entity.yaml', '--workspace', folder];
        const { code, stdout, stderr } = await runCli(args, { cwd: folder, env });
        assert.equal(code, 1, `${how}: ${stdout} ${stderr}`);
        told.push(stdout, stderr, ...(await textsBelow(join(folder, '.entity-graph'))));
      }
      assert.ok(told.join('\n').includes('***'), 'what is repeated is masked');
      for (const each of told) for (const trace of traces) assert.ok(!each.includes(trace), `${trace} in ${each}`);
      await removeFolder(folder);
    });
  }
});

async function textsBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.length > 0, 'the failed import has left its status');
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
}
