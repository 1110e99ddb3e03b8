import assert from 'node:assert/strict';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { requestsAbout } from './all-requests.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

/** Sources of every network kind, all at one address. */
function sourcesAt(port: number): string {
  return `version: 1
dataSources:
  postgresql: { kind: postgresql, host: 127.0.0.1, port: ${port}, database: shop, user: analyst, password: secret, ssl: { mode: disable } }
  servicenow: { kind: servicenow, instanceUrl: "http://127.0.0.1:${port}", tables: [orders], auth: { kind: basic, user: analyst, password: secret } }
  rest: { kind: rest, baseUrl: "http://127.0.0.1:${port}/v1", endpoints: [{ name: orders, path: /orders, key: id }] }
`;
}

const kinds = ['postgresql', 'servicenow', 'rest'];

const graphOf = (kind: string): string => `version: 1
name: ${kind}
dataSource: ${kind}
elements:
  - { activityName: Order, dataObject: orders, key: id, startTimestamp: placed_at, properties: [id] }
`;

/** Requests that need a source, or data read from one. */
const refusals = [
  'apiEntry',
  'apiSend',
  'apiText',
  'apiView',
  'changedMap',
  'changedRows',
  'compareTexts',
  'comparedRows',
  'countJoin',
  'dataObjects',
  'delete',
  'diagnoseSource',
  'eventGraph',
  'exportGraph',
  'graphDiff',
  'graphOfFile',
  'import',
  'importPlan',
  'newGraph',
  'newTest',
  'objectsFor',
  'otherSources',
  'previewAction',
  'previewJoin',
  'previewObject',
  'refreshCatalog',
  'rowsForTest',
  'runAction',
  'runTests',
  'showQuery',
  'signIn',
  'sourceColumns',
  'sourceObjects',
  'testQuery',
];

/** Without an import there is no imported text, and without a problem there is nothing to fix. */
const refusedAnyway = new Set(['entityGraph/importedText', 'entityGraph/fixProblem']);

describe('language server: untrusted workspace', () => {
  let connections = 0;
  let server: Server;
  let folder = '';
  let client: LspClient | undefined;

  before(async () => {
    server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const graphs = kinds.map((kind) => [`${kind}.entity.yaml`, graphOf(kind)]);
    folder = await folderWith({ 'entity-sources.yaml': sourcesAt(port), ...Object.fromEntries(graphs) });
  });
  after(async () => {
    await client?.close();
    await new Promise((resolve) => server.close(resolve));
    await removeFolder(folder);
  });

  it('connects to nothing; requests that need a source explain the restriction, others are answered', async () => {
    client = await startLspClient({ folder, initializationOptions: { trusted: false, extended: true } });
    for (const kind of kinds) {
      const uri = await client.open(`${folder}/${kind}.entity.yaml`, graphOf(kind));
      await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'catalog-unknown'));
      const refused: string[] = [];
      for (const [method, params] of Object.entries(requestsAbout(folder, kind))) {
        const answer: { readonly ok?: boolean; readonly error?: Failure } | null = await client.connection.sendRequest(
          method,
          params,
        );
        if (answer?.error?.code === 'workspace-untrusted') refused.push(method.replace('entityGraph/', ''));
        else if (!refusedAnyway.has(method)) assert.notEqual(answer?.ok, false, JSON.stringify(answer));
        assert.equal(connections, 0, `${method} of ${kind}`);
      }
      assert.deepEqual(refused.sort(), refusals);
    }
  });

  it('connects once the workspace is trusted', async () => {
    assert.ok(client);
    await client.connection.sendNotification('entityGraph/trustChanged', { trusted: true });
    for (const kind of kinds) {
      const before = connections;
      const { uri, dataSource } = requestsAbout(folder, kind)['entityGraph/diagnoseSource'];
      const params = { uri, dataSource, refresh: true };
      const cancellation = new CancellationTokenSource();
      const method = 'entityGraph/sourceObjects';
      const answered = client.connection.sendRequest<Outcome<unknown>>(method, params, cancellation.token);
      await waitUntil(`${kind} is connected to`, async () => (connections > before ? true : undefined));
      cancellation.cancel();
      const answer = await answered;
      assert.ok(!answer.ok && answer.error.code !== 'workspace-untrusted', JSON.stringify(answer));
    }
  });
});
