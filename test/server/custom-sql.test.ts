import assert from 'node:assert/strict';
import type { DocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, startLspClient } from './lsp-client.ts';

const graph = `version: 1
name: Orders
dataSource: files
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    key: id
    startTimestamp: placed_at
    where: id > 5
`;

describe('language server: custom SQL validated by DuckDB in the background', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': "version: 1\ndataSources:\n  files: { kind: csv, path: '*.csv' }\n",
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n',
      'orders.entity.yaml': graph,
    });
    client = await startLspClient({ folder });
    uri = await client.open(`${folder}/orders.entity.yaml`, graph);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  it('reports syntax and name errors when DuckDB has answered, and clears them', async () => {
    const steps = [
      ['id > 5', 'id ANDD 5', 'sql-syntax', /near "/],
      ['id ANDD 5', 'idd > 5', 'unknown-column', /"idd".*"id"/],
      ['idd > 5', 'ordrs.id > 5', 'unknown-alias', /"ordrs".*"orders"/],
      ['ordrs.id > 5', 'lowercase(id) > 5', 'sql-error', /lowercase/],
    ] as const;
    for (const [from, to, code, message] of steps) {
      await client.edit(uri, from, to);
      const [problem, ...others] = await client.diagnostics(uri, (found) => found.length > 0);
      assert.equal(problem?.code, code);
      assert.match(messageOf(problem), message);
      assert.equal(problem?.severity, code === 'sql-error' ? 2 : 1);
      assert.deepEqual(others, []);
    }
    await client.edit(uri, 'lowercase(id) > 5', 'id > 5');
    await client.diagnostics(uri, (found) => found.length === 0);
  });

  it('reads no files or addresses that the SQL names', async () => {
    await client.edit(uri, 'id > 5', "id IN (SELECT 1 FROM read_text('/etc/hostname'))");
    await client.diagnostics(uri, (found) => found.length === 0);
  });
});

describe('language server: custom SQL of a file that was just opened', () => {
  it('does not delay pulled diagnostics: a refresh follows the answer of DuckDB', async () => {
    const text = graph.replace('id > 5', 'id ANDD 5').replace('key: id', 'keyy: id');
    const folder = await folderWith({
      'entity-sources.yaml': "version: 1\ndataSources:\n  files: { kind: csv, path: '*.csv' }\n",
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n',
      'orders.entity.yaml': text,
    });
    const refreshed: (() => void)[] = [];
    const client = await startLspClient({
      folder,
      capabilities: { textDocument: { diagnostic: {} }, workspace: { diagnostics: { refreshSupport: true } } },
      answers: { 'workspace/diagnostic/refresh': () => (refreshed.splice(0).forEach((resolve) => resolve()), null) },
    });
    try {
      const uri = await client.open(`${folder}/orders.entity.yaml`, text);
      const told: string[] = [];
      // The client asks again only after a refresh request of the server.
      while (!told.includes('sql-syntax')) {
        const isRefreshed = new Promise<void>((resolve) => refreshed.push(resolve));
        const report: DocumentDiagnosticReport = await client.connection.sendRequest('textDocument/diagnostic', {
          textDocument: { uri },
        });
        for (const { code } of report.kind === 'full' ? report.items : []) {
          if (!told.includes(String(code))) told.push(String(code));
        }
        if (!told.includes('sql-syntax')) await isRefreshed;
      }
      assert.ok(told.includes('schema-unknown-property'), told.join());
    } finally {
      await client.close();
      await removeFolder(folder);
    }
  });
});
