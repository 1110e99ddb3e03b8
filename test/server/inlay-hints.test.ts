import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { InlayHint } from 'vscode-languageserver-protocol/node';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph =
  'version: 1\ndataSource: shop\nelements:\n  - activityName: Place Order\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n';

describe('language server: inlay hints', () => {
  let folder: string;
  let client: LspClient;
  let uri: string;
  /** The settings `entityGraph.inlayHints` of the editor. */
  let inlayHints: Readonly<Record<string, boolean>> = {};
  let refreshed = 0;

  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
      'orders.csv': 'id,placed_at\n1,2024-01-01 10:00:00\n2,2024-01-02 10:00:00\n',
      'a.entity.yaml': graph,
    });
    client = await startLspClient({
      folder,
      initializationOptions: { extended: true, trusted: true },
      capabilities: {
        workspace: {
          configuration: true,
          didChangeConfiguration: { dynamicRegistration: true },
          inlayHint: { refreshSupport: true },
        },
      },
      answers: {
        'client/registerCapability': () => null,
        'workspace/configuration': ({ items }: { items: readonly { section: string }[] }) =>
          items.map(({ section }) => (section === 'entityGraph' ? { inlayHints } : null)),
        'workspace/inlayHint/refresh': () => {
          refreshed += 1;
          return null;
        },
      },
    });
    uri = await client.open(join(folder, 'a.entity.yaml'), graph);
  });
  after(async () => {
    await client.close();
    await removeFolder(folder);
  });

  /** Line and text of each hint, in order. */
  async function hints(): Promise<readonly (readonly [number, InlayHint['label']])[]> {
    const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
    const found: InlayHint[] = await client.connection.sendRequest('textDocument/inlayHint', {
      textDocument: { uri },
      range,
    });
    return found
      .map(({ position, label }) => [position.line, label] as const)
      .toSorted(([one], [other]) => one - other);
  }

  const asked = (before: number): Promise<true> =>
    waitUntil('the editor is told to ask for hints again', async () => refreshed > before || undefined);

  async function change(settings: typeof inlayHints): Promise<void> {
    const before = refreshed;
    inlayHints = settings;
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
    await asked(before);
  }

  it('show types once columns are known, counts after an import, and follow the settings at once', async () => {
    await change({ columnTypes: true, entityCounts: true });
    const types = await waitUntil('types are known', async () => {
      const found = await hints();
      return found.length > 0 ? found : undefined;
    });
    assert.deepEqual(types, [
      [5, 'BIGINT'],
      [6, 'TIMESTAMP'],
    ]);
    const before = refreshed;
    const summary: { status: string } = await client.connection.sendRequest('entityGraph/import', { uri });
    assert.equal(summary.status, 'imported');
    await asked(before);
    assert.deepEqual(await hints(), [[3, '2 entities'], ...types]);
    await change({ entityCounts: true });
    assert.deepEqual(await hints(), [[3, '2 entities']]);
    await change({});
    assert.deepEqual(await hints(), []);
  });
});
