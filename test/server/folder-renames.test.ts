import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { EntitiesView, FileResult } from '../../protocol/requests/lifecycle-requests.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import { importSummary } from '../../server/src/cli/import-summary.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n');

describe('language server: renamed folders', () => {
  let folder = '';
  let client: LspClient;
  const path = (name: string): string => `${folder}/${name}`;
  const address = (name: string): string => pathToFileURL(path(name)).href;
  const ask = <T>(method: string, params: object): Promise<T> =>
    client.connection.sendRequest(`entityGraph/${method}`, params);
  const list = async (): Promise<readonly string[]> =>
    (await ask<EntitiesView>('entities', {})).entities.map(
      ({ uri, status, modifiedSinceImport }) =>
        `${relative(folder, fileURLToPath(uri))} ${status}${modifiedSinceImport ? ', modified' : ''}`,
    );
  const importNow = async (name: string): Promise<void> => {
    const { status, error } = importSummary(await ask<ImportOutcome>('import', { uri: address(name) }));
    assert.equal(status, 'imported', error?.message);
  };
  const renamed = (from: string, to: string): Promise<void> =>
    client.connection.sendNotification('workspace/didRenameFiles', {
      files: [{ oldUri: address(from), newUri: address(to) }],
    });

  beforeEach(async () => {
    folder = await folderWith({ 'entity-sources.yaml': csvSources(), 'orders.csv': 'id,at\n1,2024-01-01 08:00:00\n' });
    client = await startLspClient({ folder, initializationOptions: { extended: true } });
  });
  afterEach(async () => {
    await client.close();
    await removeFolder(folder);
  });

  it('registers for renames of folders and graphs', () => {
    assert.deepEqual(client.initialized.capabilities.workspace?.fileOperations?.didRename?.filters, [
      { pattern: { glob: '**/*.entity.{yaml,yml,json}', matches: 'file' } },
      { pattern: { glob: '**/*', matches: 'folder' } },
    ]);
  });

  it('state, event graphs and positions of all graphs in the folder move, also of modified ones', async () => {
    await mkdir(path('sales/deep'), { recursive: true });
    for (const name of ['sales/a.entity.yaml', 'sales/deep/b.entity.json', 'sales/c.entity.yml']) {
      await writeFile(path(name), graph);
    }
    await importNow('sales/a.entity.yaml');
    await importNow('sales/deep/b.entity.json');
    const layout = { elements: { A: { x: 10, y: 20 } } };
    await ask('saveLayout', { uri: address('sales/c.entity.yml'), layout });
    await writeFile(path('sales/deep/b.entity.json'), `${graph}# changed\n`);
    await rename(path('sales'), path('orders'));
    await renamed('sales', 'orders');
    // All three had the same text when they were imported or created: only the editor knows which is which.
    assert.deepEqual(await list(), [
      'orders/a.entity.yaml Imported',
      'orders/c.entity.yml Not Imported',
      'orders/deep/b.entity.json Imported, modified',
    ]);
    assert.ok(existsSync(path('.entity-graph/graphs/orders/deep/b~json')));
    assert.ok(!existsSync(path('.entity-graph/graphs/sales/deep/b~json')));
    assert.deepEqual(await ask('layout', { uri: address('orders/c.entity.yml') }), layout);
    const exported = await ask<Outcome<FileResult>>('copy', {
      uri: address('orders/a.entity.yaml'),
      target: address('orders/d.entity.yaml'),
    });
    assert.ok(exported.ok, JSON.stringify(exported));
  });

  it('a folder with its own sources file keeps its state inside', async () => {
    await mkdir(path('own'));
    await writeFile(path('own/entity-sources.yaml'), csvSources().replace('*.csv', '../*.csv'));
    await writeFile(path('own/a.entity.yaml'), graph);
    await importNow('own/a.entity.yaml');
    await rename(path('own'), path('other'));
    await renamed('own', 'other');
    await waitUntil('it is listed', async () => ((await list()).length === 1 ? true : undefined));
    assert.deepEqual(await list(), ['other/a.entity.yaml Imported']);
  });

  it('a rename noticed before the notification of the editor keeps the state', async () => {
    await writeFile(path('a.entity.yaml'), graph);
    await importNow('a.entity.yaml');
    await rename(path('a.entity.yaml'), path('b.entity.yaml'));
    assert.deepEqual(await list(), ['b.entity.yaml Imported']);
    await renamed('a.entity.yaml', 'b.entity.yaml');
    // Requests are answered in order: the notification has been handled when the second rename has.
    await rename(path('b.entity.yaml'), path('c.entity.yaml'));
    await writeFile(path('c.entity.yaml'), `${graph}# changed\n`);
    await renamed('b.entity.yaml', 'c.entity.yaml');
    await waitUntil('the second rename was noticed', async () =>
      existsSync(path('.entity-graph/state/c.json')) ? true : undefined,
    );
    assert.deepEqual(await list(), ['c.entity.yaml Imported, modified']);
  });
});
