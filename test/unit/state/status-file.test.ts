import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createStatusReader, readStatusFile } from '../../../server/src/state/status-file.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const imported = (progress: string): string => JSON.stringify({ version: 1, status: 'Imported', progress });

describe('status file', () => {
  it('is "Not Imported" when the file is missing, damaged or of another version', async () => {
    const newer = JSON.stringify({ version: 2, status: 'Imported' });
    const strange = JSON.stringify({ version: 1, status: 'Imported', text: 7 });
    const folder = await folderWith({ 'damaged.json': '{', 'newer.json': newer, 'strange.json': strange });
    try {
      for (const name of ['missing.json', 'damaged.json', 'newer.json', 'strange.json']) {
        assert.equal((await readStatusFile(join(folder, name))).status, 'Not Imported');
      }
    } finally {
      await removeFolder(folder);
    }
  });

  it('keeps the place of a graph of format 1, whose rules were counted without those that they concern', async () => {
    const numbers = { judged: 2, broken: 1, pending: 0, undecided: 0, holds: false };
    const rules = [{ name: 'Orders are paid', ...numbers }];
    const counts = { elements: [], entities: [], relationships: [], totals: { events: 4, entities: 2 }, rules };
    const inSources = [{ dataSource: 'shop', schema: 'orders_graph', run: '1' }];
    const earlier = { version: 1, status: 'Imported', store: '1.duckdb', inSources, counts };
    const folder = await folderWith({ 'earlier.json': JSON.stringify(earlier) });
    try {
      assert.deepEqual(await readStatusFile(join(folder, 'earlier.json')), earlier);
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
    for (const entity of ['missing', 'nowhere/missing']) assert.equal((await read(entity)).status, 'Not Imported');
  });

  it('are refused with the reason if they are no status, wherever values have other types', async () => {
    const read = createStatusReader(stateFolder());
    const refused = async (content: string): Promise<string> => {
      await writeFile(inState('orders.json'), content);
      let message = '';
      await assert.rejects(read('orders'), (error: Error & { readonly code?: string }) => {
        message = error.message;
        return error.code === 'state-unreadable';
      });
      return message;
    };
    assert.match(await refused('{'), /orders\.json does not hold the state of an import: it is not valid JSON\.$/);
    assert.match(await refused('null'), /must be an object/);
    const status = { version: 1, status: 'Imported' };
    const totals = { events: 1, entities: 1 };
    const others: readonly (readonly [field: string, value: unknown])[] = [
      ['version', 2],
      ['status', 'Done'],
      ['text', 7],
      ['store', 5],
      ['previous', []],
      ['progress', {}],
      ['imported', false],
      ['inSources', [{ dataSource: 'a', schema: 7 }]],
      ['keptRows', [{ dataSource: 'a' }]],
      ['counts', { elements: [], relationships: [], totals: {} }],
      ['counts', { elements: 'none', relationships: [], totals }],
      ['counts', { elements: [], relationships: [], totals, rules: [{ name: 'a' }] }],
    ];
    for (const [field, value] of others) {
      assert.match(await refused(JSON.stringify({ ...status, [field]: value })), new RegExp(`"${field}`), field);
    }
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
