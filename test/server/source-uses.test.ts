import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FileChangeType } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = (source: string): string =>
  `version: 1\ndataSource: ${source}\nelements:\n  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed_at }\n`;
const sources =
  'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n  old: { kind: csv, path: "*.csv" }\n  spare: { kind: csv, path: "*.csv" }\n';

describe('language server: unused data sources', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': sources,
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n',
      'a.entity.yaml': graph('shop'),
    });
    client = await startLspClient({ folder });
    uri = await client.open(join(folder, 'entity-sources.yaml'), sources);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  /** The sources marked as unused by the last problems of a sources file. */
  async function unusedNow(of = uri): Promise<readonly (string | undefined)[]> {
    const found = await client.diagnostics(of, () => true);
    const lines = found.filter(({ code }) => code === 'unused-source').map(({ range }) => range.start.line);
    return lines.map((line) => sources.split('\n')[line]?.trim().split(':')[0]);
  }

  const unused = (...names: readonly string[]): Promise<true> =>
    waitUntil(`${names.join()} are unused`, async () => (await unusedNow()).join() === names.join() || undefined);

  it('considers graphs on disk, unsaved text and closed files', async () => {
    await unused('old', 'spare');
    await writeFiles(folder, { 'more/b.entity.yaml': graph('old') });
    const added = { uri: pathToFileURL(join(folder, 'more', 'b.entity.yaml')).href, type: FileChangeType.Created };
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [added] });
    await unused('spare');
    const open = await client.open(join(folder, 'a.entity.yaml'), graph('shop'));
    await client.edit(open, 'shop', 'spare');
    await unused('shop');
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: open } });
    await unused('spare');
  });

  it('reads open folders only', async () => {
    const other = await folderWith({ 'a.entity.yaml': graph('shop'), 'entity-sources.yaml': sources });
    try {
      const outside = await client.open(join(other, 'entity-sources.yaml'), sources);
      const open = await client.open(join(folder, 'a.entity.yaml'), graph('spare'));
      await unused('shop');
      // The round that finds this begins after the previous one has read every sources file.
      await client.edit(open, 'spare', 'shop');
      await unused('spare');
      assert.deepEqual(await unusedNow(outside), []);
    } finally {
      await removeFolder(other);
    }
  });
});
