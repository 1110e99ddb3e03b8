import assert from 'node:assert/strict';
import type { FullDocumentDiagnosticReport } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const head = 'version: 1\nname: Orders\ndataSource: files\ndataObjects: [orders]\nelements:\n';
const element = (index: number): string =>
  `  - { activityName: Order ${index}, dataObject: orders, key: id, entityType: type ${index % 7}, startTimestamp: placed_at }\n`;
const graph = head + Array.from({ length: 4000 }, (_, index) => element(index)).join('');

describe('language server: a large document', () => {
  let folder: string;
  let client: LspClient;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n  others: { kind: csv, path: "others/*.csv" }\n',
      'others/trips.csv': 'trip_id\n1\n',
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n',
      'orders.entity.yaml': graph,
    });
    client = await startLspClient({ folder });
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  it('is asked about while all of it is judged anew', async () => {
    const uri = await client.open(`${folder}/orders.entity.yaml`, graph);
    await client.edit(uri, 'placed_at', 'placed_att');
    await client.diagnostics(uri, (found) => found.some(({ code }) => code === 'unknown-column'));
    // Another source: none of its columns is that of before.
    const begun = performance.now();
    await client.edit(uri, 'dataSource: files', 'dataSource: others');
    let isTold = false;
    const told = client.diagnostics(uri, (found) => found.length > 4000).then(() => (isTold = true));
    let longest = 0;
    for (let last = begun; !isTold;) {
      await client.connection.sendRequest('textDocument/hover', {
        textDocument: { uri },
        position: { line: 1, character: 2 },
      });
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    await told;
    const share = longest / (performance.now() - begun);
    assert.ok(share < 0.5, `One answer took ${Math.round(share * 100)} % of the time until the problems were there.`);
  });

  it('has its SQL judged while an editor that asks for problems has those that are known, and is told to ask again', async () => {
    let timesRefreshed = 0;
    const editor = await startLspClient({
      folder,
      capabilities: {
        workspace: { diagnostics: { refreshSupport: true } },
        textDocument: { diagnostic: {} },
      },
      answers: { 'workspace/diagnostic/refresh': () => ((timesRefreshed += 1), null) },
    });
    try {
      const where = (index: number): string => (index === 0 ? 'nobody > 0' : `id > ${index}`);
      const elements = Array.from({ length: 2000 }, (_, index) =>
        element(index).replace(' }', `, where: '${where(index)}' }`),
      );
      const uri = await editor.open(`${folder}/judged.entity.yaml`, head + elements.join(''));
      const codes = async (): Promise<readonly unknown[]> => {
        const refreshedBefore = timesRefreshed;
        const { items } = await editor.connection.sendRequest<FullDocumentDiagnosticReport>('textDocument/diagnostic', {
          textDocument: { uri },
        });
        if (items.length === 0) {
          const isRefreshed = (): true | undefined => timesRefreshed > refreshedBefore || undefined;
          await waitUntil('it is to be asked again', () => Promise.resolve(isRefreshed()));
        }
        return items.map(({ code }) => code);
      };
      let found = await codes();
      for (let asked = 1; found.length === 0 && asked < 50; asked += 1) found = await codes();
      assert.deepEqual(found, ['unknown-column']);
    } finally {
      await editor.close();
    }
  });
});
