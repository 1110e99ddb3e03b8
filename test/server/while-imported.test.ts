import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = `version: 1
name: Deliveries
dataSource: api
elements:
  - { activityName: Deliver, dataObject: deliveries, key: id, startTimestamp: at }
`;

describe('language server: graph edited during its import', () => {
  const waiting: ServerResponse[] = [];
  let isHeld = false;
  let server: Server;
  let folder = '';
  let client: LspClient | undefined;

  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify([{ id: 1, at: '2024-05-01T10:00:00Z' }]));
  };

  before(async () => {
    server = createServer((_, response) => (isHeld ? void waiting.push(response) : answer(response)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const api = `{ kind: rest, baseUrl: "http://127.0.0.1:${port}", endpoints: [{ name: deliveries, path: /deliveries, key: id }] }`;
    folder = await folderWith({
      'entity-sources.yaml': `version: 1\ndataSources:\n  api: ${api}\n`,
      'a.entity.yaml': graph,
    });
  });
  after(async () => {
    await client?.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await removeFolder(folder);
  });

  it('is imported with the text at the start, and modified afterwards', async () => {
    const { connection } = (client = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
    }));
    const path = `${folder}/a.entity.yaml`;
    const uri = pathToFileURL(path).href;
    isHeld = true;
    const importing = connection.sendRequest<ImportOutcome>('entityGraph/import', { uri });
    await waitUntil('the service is asked', async () => (waiting.length > 0 ? true : undefined));
    await writeFile(path, graph.replace('activityName: Deliver,', 'activityName: Hand Over,'));
    isHeld = false;
    waiting.forEach(answer);
    const summary = await importing;
    assert.ok(summary.status === 'imported', JSON.stringify(summary));
    assert.deepEqual(
      summary.elements.map(({ activityName }) => activityName),
      ['Deliver'],
    );
    const { status, modifiedSinceImport }: GraphStatusView = await connection.sendRequest('entityGraph/status', {
      uri,
    });
    assert.deepEqual([status, modifiedSinceImport], ['Imported', true]);
    const imported: Outcome<{ text: string }> = await connection.sendRequest('entityGraph/importedText', { uri });
    assert.deepEqual(imported, { ok: true, value: { text: graph } });
    await writeFile(path, graph);
    const back: GraphStatusView = await connection.sendRequest('entityGraph/status', { uri });
    assert.equal(back.modifiedSinceImport, false);
  });

  it('another window sees the running import, and neither disturbs the other', async () => {
    const initializationOptions = { trusted: true, extended: true };
    const other = await startLspClient({ folder, initializationOptions });
    try {
      assert.ok(client);
      const uri = pathToFileURL(`${folder}/a.entity.yaml`).href;
      isHeld = true;
      waiting.length = 0;
      const first = client.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri });
      await waitUntil('the service is asked', async () => (waiting.length > 0 ? true : undefined));
      const second = await other.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri });
      assert.ok(second.status === 'failed', JSON.stringify(second));
      assert.equal(second.error.code, 'import-running');
      isHeld = false;
      waiting.forEach(answer);
      assert.equal((await first).status, 'imported');
      for (const { connection } of [client, other]) {
        const { status, progress }: GraphStatusView = await connection.sendRequest('entityGraph/status', { uri });
        assert.deepEqual([status, progress], ['Imported', 'Import Done']);
      }
      const again = await other.connection.sendRequest<ImportOutcome>('entityGraph/import', { uri });
      assert.equal(again.status, 'imported');
    } finally {
      await other.close();
    }
  });
});
