import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newEmptyGraph } from '../../server/src/operations/graph-files/new-graph.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('a new graph', () => {
  const context = { permitUses: permitAllUses, readSecret: () => Promise.resolve(undefined), environment: {} };
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv" }\n',
    });
  });
  after(() => removeFolder(folder));

  it('is written into a blank file, and never over text', async () => {
    const path = join(folder, 'orders.entity.yaml');
    const write = (): Promise<void> => newEmptyGraph(path, { name: 'Orders', dataSource: 'shop' }, context);
    for (const blank of ['', ' \n\n']) {
      await writeFile(path, blank);
      await write();
      assert.match(await readFile(path, 'utf8'), /^version: 1\n/);
    }
    for (const text of ['# mine\n', `${' '.repeat(2000)}\n`]) {
      await writeFile(path, text);
      await assert.rejects(write(), { code: 'file-exists' });
      assert.equal(await readFile(path, 'utf8'), text);
    }
  });
});
