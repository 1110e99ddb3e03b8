import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createStatusReader, readStatusFile } from '../../../server/src/state/status-file.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const imported = (progress: string): string => JSON.stringify({ version: 1, status: 'Imported', progress });

describe('status file', () => {
  it('is "Not Imported" when the file is missing, damaged or of another version', async () => {
    const newer = JSON.stringify({ version: 2, status: 'Imported' });
    const folder = await folderWith({ 'damaged.json': '{', 'newer.json': newer });
    try {
      for (const name of ['missing.json', 'damaged.json', 'newer.json']) {
        assert.equal((await readStatusFile(join(folder, name))).status, 'Not Imported');
      }
    } finally {
      await removeFolder(folder);
    }
  });
});

describe('the statuses of a state folder', () => {
  let folder = '';
  let outside = '';
  const stateFolder = (): string => join(folder, '.entity-graph');
  const inState = (name: string): string => join(stateFolder(), 'state', name);
  beforeEach(async () => {
    folder = await folderWith({
      '.entity-graph/state/orders.json': imported('orders'),
      '.entity-graph/state/sales/returns.json': imported('returns'),
      '.entity-graph/state/damaged.json': '{',
    });
    outside = await folderWith({ 'bait.json': imported('of another') });
  });
  afterEach(() => Promise.all([folder, outside].map(removeFolder)));

  it('are read by the ids of graphs, in folders, too', async () => {
    const read = createStatusReader(stateFolder());
    assert.equal((await read('orders')).progress, 'orders');
    assert.equal((await read('sales/returns')).progress, 'returns');
    for (const entity of ['damaged', 'missing', 'nowhere/missing'])
      assert.equal((await read(entity)).status, 'Not Imported');
  });

  it('are not read through a link that leads out, even after others in the same folder were read', async () => {
    if (process.platform === 'win32') return;
    const read = createStatusReader(stateFolder());
    assert.equal((await read('orders')).progress, 'orders');
    await rm(inState('orders.json'));
    await symlink(join(outside, 'bait.json'), inState('orders.json'));
    await symlink(outside, inState('linked'));
    await assert.rejects(read('orders'), { code: 'link-leads-out' });
    await assert.rejects(read('linked/bait'), { code: 'link-leads-out' });
    await assert.rejects(read('linked/missing'), { code: 'link-leads-out' });
  });

  it('are read through links inside the folder of the sources file', async () => {
    if (process.platform === 'win32') return;
    await mkdir(join(folder, 'kept'));
    await rename(inState('orders.json'), join(folder, 'kept/orders.json'));
    await symlink(join(folder, 'kept/orders.json'), inState('orders.json'));
    await symlink(join(folder, 'kept'), inState('linked'));
    const read = createStatusReader(stateFolder());
    assert.equal((await read('orders')).progress, 'orders');
    assert.equal((await read('linked/orders')).progress, 'orders');
  });
});
