import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

/** The exports of `scripts/bench-history.mjs`, which has no types. */
interface History {
  keepRun(path: string, run: object): void;
}

describe('history of benches', () => {
  let keepRun: History['keepRun'];
  let folder: string;
  let path: string;
  const runs = async (): Promise<unknown> => JSON.parse(await readFile(path, 'utf8'));

  before(async () => {
    const script: string = '../../../scripts/bench-history.mjs';
    ({ keepRun } = (await import(script)) as History);
  });
  beforeEach(async () => {
    folder = await folderWith({ 'earlier.json': '[{ "bench": "csv-import", "value": 1 }]', 'broken.json': '[{' });
    path = join(folder, 'bench.json');
  });
  afterEach(() => removeFolder(folder));

  it('adds a run behind the earlier ones', async () => {
    keepRun(path, { date: '1', benches: [] });
    keepRun(path, { date: '2', benches: [] });
    assert.deepEqual(await runs(), [
      { date: '1', benches: [] },
      { date: '2', benches: [] },
    ]);
  });

  it('replaces the run of the same date, which is written after each of its benches', async () => {
    keepRun(path, { date: '1', benches: [] });
    keepRun(path, { date: '1', benches: [{ name: 'csv-import' }] });
    assert.deepEqual(await runs(), [{ date: '1', benches: [{ name: 'csv-import' }] }]);
  });

  it('keeps the last fifty runs', async () => {
    for (let date = 1; date <= 52; date += 1) keepRun(path, { date: String(date), benches: [] });
    const kept = (await runs()) as readonly { readonly date: string }[];
    assert.deepEqual([kept.length, kept[0]?.date, kept.at(-1)?.date], [50, '3', '52']);
  });

  it('stores all rounds, rounded to five digits', async () => {
    keepRun(path, { date: '1', benches: [{ results: [{ rounds: [1.234567, 1234567.8, 3] }] }] });
    assert.deepEqual(await runs(), [{ date: '1', benches: [{ results: [{ rounds: [1.2346, 1234600, 3] }] }] }]);
  });

  for (const name of ['earlier.json', 'broken.json']) {
    it(`begins anew when the file is not a history (${name})`, async () => {
      path = join(folder, name);
      keepRun(path, { date: '1', benches: [] });
      assert.deepEqual(await runs(), [{ date: '1', benches: [] }]);
    });
  }
});
