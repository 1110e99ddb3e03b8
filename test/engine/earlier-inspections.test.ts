import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCli } from '../support/run-cli.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const many = 60;

describe('parts that an earlier run of the command line inspected', () => {
  let folder: string;
  let caches: string;

  before(async () => {
    const parts = Array.from({ length: many }, (_, index) => [
      `orders-${index + 100}.csv`,
      `id,n\na${index},${index}\n`,
    ]);
    folder = await folderWith({
      'entity-sources.yaml':
        'version: 1\ndataSources: { files: { kind: csv, path: "*.csv", parts: { orders: "orders-*.csv" } } }\n',
      ...Object.fromEntries(parts),
    });
    caches = await folderWith({});
  });
  after(async () => {
    await removeFolder(folder);
    await removeFolder(caches);
  });

  const columns = async (): Promise<readonly string[]> => {
    const { code, stdout, stderr } = await runCli(
      ['objects', 'files', '--sources', 'entity-sources.yaml', '--workspace', folder, '--format', 'json'],
      { cwd: folder, env: { XDG_CACHE_HOME: caches, LOCALAPPDATA: caches } },
    );
    assert.equal(code, 0, stderr);
    const [object] = JSON.parse(stdout) as [{ columns: { name: string; type: string }[] }];
    return object.columns.map(({ name, type }) => `${name} ${type}`);
  };
  const cached = (): Promise<readonly string[]> => readdir(join(caches, 'entity-graph', 'files')).catch(() => []);

  it('have the same columns in the next run, until one of them changes', async () => {
    // Files that were written a moment ago are inspected each time.
    await sleep(2_100);
    const first = await columns();
    assert.deepEqual(first, ['id VARCHAR', 'n BIGINT']);
    assert.equal((await cached()).length, 1);
    assert.deepEqual(await columns(), first);
    await writeFile(join(folder, 'orders-130.csv'), 'id,n\na30,many\n');
    assert.deepEqual(await columns(), ['id VARCHAR', 'n VARCHAR']);
    await writeFile(join(folder, 'orders-130.csv'), 'id,n\na30,0.5\n');
    await writeFile(join(folder, 'orders-160.csv'), 'id,n\na60,60\n');
    assert.deepEqual(await columns(), ['id VARCHAR', 'n DOUBLE']);
  });
});
