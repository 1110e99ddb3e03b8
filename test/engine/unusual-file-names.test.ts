import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listEntities } from '../../server/src/operations/graph-files/list-entities.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { makeDevice } from '../support/make-device.ts';
import { runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { fingerprint, folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = graphText('  - { activityName: A, dataObject: orders, key: id, startTimestamp: at }\n');

describe('unsupported file types', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv': 'id,at\n1,2024-01-01\n',
      'graphs/shop.entity.yaml': graph,
      'folder.entity.yaml/notes.txt': 'mine',
    });
  });
  afterEach(() => removeFolder(folder));
  const pipe = (name: string): void => assert.equal(spawnSync('mkfifo', [join(folder, name)]).status, 0);

  it('a file beyond 16 MB is listed as unreadable, with its size', async () => {
    const file = join(folder, 'large.entity.yaml');
    await writeFile(file, '');
    await truncate(file, 17 * 2 ** 20);
    const { unreadable } = await listEntities(folder, { workspaceFolderOf: () => folder });
    assert.deepEqual(
      unreadable.map(({ error }) => [error.code, error.message]),
      [['file-too-large', `${file} has 17 MB; files of this kind are read up to 16 MB.`]],
    );
  });

  it('a device and a pipe are listed as unreadable without blocking', async () => {
    await makeDevice(join(folder, 'endless.entity.yaml'), 'zero');
    pipe('pipe.entity.yaml');
    const { rows, unreadable } = await listEntities(folder, { workspaceFolderOf: () => folder });
    assert.deepEqual(
      rows.map(({ name, problem }) => [name, problem]),
      [
        ['Test', undefined],
        ['Test', undefined],
      ],
    );
    assert.deepEqual(
      unreadable.map(({ file, error }) => [file, error.message]).toSorted(),
      ['endless', 'pipe'].map((name) => {
        const file = join(folder, `${name}.entity.yaml`);
        return [file, `Cannot read ${file}: it is a device or a pipe, not a file.`];
      }),
    );
  });

  for (const [what, make] of [
    ['a device', () => makeDevice(join(folder, 'graphs/entity-sources.yaml'), 'zero')],
    ['a pipe', async () => pipe('graphs/entity-sources.yaml')],
  ] as const) {
    it(`${what} as the sources file is reported`, async () => {
      await make();
      const done = await runCommand(['validate', 'graphs/shop.entity.yaml', '--workspace', folder], folder);
      assert.equal(done.code, 1, done.stdout);
      assert.match(done.stderr + done.stdout, /graphs\/entity-sources\.yaml: it is a device or a pipe, not a file\./);
    });
  }

  it('a graph passed by shell process substitution is read', async () => {
    const wrapper = ['sh', '-c', 'printf "version: 1\\nname: [" | "$@"', 'sh'];
    const done = await runCli(['validate', '/dev/stdin'], { cwd: folder, wrapper });
    assert.match(done.stdout, /never closed/);
  });

  for (const [path, message] of [
    ['folder.entity.yaml', /is a folder/],
    ['.', /is not an entity graph, and nothing else is deleted|it is a folder/],
    ['orders.csv', /orders\.csv is not an entity graph, and nothing else is deleted\./],
    ['entity-sources.yaml', /entity-sources\.yaml is not an entity graph, and nothing else is deleted\./],
  ] as const) {
    it(`${path} is not deleted`, async () => {
      const before = await fingerprint(folder);
      const done = await runCommand(['delete', path, '--yes', '--workspace', folder], folder);
      assert.equal(done.code, 1, done.stdout);
      assert.match(done.stderr, message);
      assert.deepEqual(await fingerprint(folder), before);
    });
  }

  it('deleting a symbolic link removes the link, not its target', async () => {
    await symlink('orders.csv', join(folder, 'link.entity.yaml'));
    const done = await runCommand(['delete', 'link.entity.yaml', '--yes', '--workspace', folder], folder);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(await readFile(join(folder, 'orders.csv'), 'utf8'), 'id,at\n1,2024-01-01\n');
  });
});
