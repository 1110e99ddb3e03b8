import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { type PagedService, startPagedService } from '../simulator/paged-service.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, startLspClient } from './lsp-client.ts';

const graph = `version: 1
dataSource: api
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: at_x
`;

describe('language server: settings apply at once', () => {
  let folder: string;
  let service: PagedService;
  let client: LspClient;
  let uri: string;
  let settings: Readonly<Record<string, unknown>> = {};

  before(async () => {
    service = await startPagedService(25, 10);
    const endpoint = '{ name: orders, key: id, path: /by-offset, records: data.items, pagination: { style: offset } }';
    const auth = '{ kind: apiKey, header: X-Api-Key, token: "${env:API_KEY}" }';
    folder = await folderWith({
      'entity-sources.yaml': `version: 1\ndataSources:\n  api: { kind: rest, baseUrl: "${service.url}", auth: ${auth}, endpoints: [${endpoint}] }\n`,
    });
    settings = { catalog: { readInBackground: false } };
    client = await startLspClient({
      folder,
      env: { API_KEY: 'key-1' },
      initializationOptions: { extended: true, trusted: true },
      capabilities: { workspace: { configuration: true } },
      answers: {
        'entityGraph/secret': () => ({ value: null }),
        'workspace/configuration': ({ items }: { items: readonly { section: string }[] }) =>
          items.map(({ section }) => (section === 'entityGraph' ? settings : null)),
      },
    });
    uri = await client.open(join(folder, 'a.entity.yaml'), graph);
  });
  after(async () => {
    await client.close();
    await service.close();
    await removeFolder(folder);
  });

  /** This client registers nothing: it reports changes by itself, as many do. */
  async function change(to: typeof settings): Promise<void> {
    settings = to;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  }

  const testQuery = (): Promise<Outcome<TestQueryResult>> =>
    client.connection.sendRequest('entityGraph/testQuery', {
      ...{ uri, target: { kind: 'element', name: 'Place Order' } },
    });

  it('catalog.readInBackground: enabling it reads sources at once', async () => {
    await client.diagnostics(uri, (found) =>
      found.some((problem) => messageOf(problem).includes('The tables of api are not known yet')),
    );
    // A change of other settings has no effect.
    await change({ catalog: { readInBackground: false }, previewRows: 5 });
    await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 0, character: 0 },
    });
    assert.deepEqual(service.requests, []);
    await change({ catalog: { readInBackground: true } });
    await client.diagnostics(uri, (found) => found.some((problem) => messageOf(problem).includes('at_x')));
    assert.ok(service.requests.length > 0);
  });

  it('catalog.readInBackground: cached catalogs are not read again', async () => {
    const before = service.requests.length;
    await change({ catalog: { readInBackground: false } });
    await change({ catalog: { readInBackground: true } });
    await client.edit(uri, 'at_x', 'at');
    await client.diagnostics(uri, (found) => !found.some((problem) => messageOf(problem).includes('at_x')));
    assert.equal(service.requests.length, before);
  });

  it('previewRows: applies to the next query', async () => {
    for (const previewRows of [2, 4]) {
      await change({ previewRows });
      const tested = await testQuery();
      assert.equal(tested.ok && tested.value.rows.length, previewRows, JSON.stringify(tested));
    }
  });

  it('queryTimeout: applies to the next query', async () => {
    const slow = 'key: id\n    where: (SELECT count(*) FROM range(100000000000)) > 0';
    await client.edit(uri, 'key: id', slow);
    await change({ queryTimeout: 0.2 });
    const tested = await testQuery();
    assert.equal(tested.ok ? 'rows' : tested.error.code, 'statement-timeout', JSON.stringify(tested));
    await client.edit(uri, slow, 'key: id');
    await change({ queryTimeout: 60 });
    assert.equal((await testQuery()).ok, true);
  });

  it('the server reads these settings and those of inlay hints, the client all others', () => {
    assert.deepEqual(Object.keys(packageJson.contributes.configuration.properties).toSorted(), [
      'entityGraph.agents.reach',
      'entityGraph.catalog.readInBackground',
      'entityGraph.import.atOnce',
      'entityGraph.inlayHints.columnTypes',
      'entityGraph.inlayHints.entityCounts',
      'entityGraph.previewRows',
      'entityGraph.queryTimeout',
      'entityGraph.trace.server',
    ]);
  });
});
