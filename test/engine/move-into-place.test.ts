import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { moveIntoPlace } from '../../server/src/files/move-into-place.ts';
import { writeFileAtomic } from '../../server/src/files/write-atomic.ts';
import { createExportFolder } from '../../server/src/operations/stored-graphs/export-folder.ts';
import { makeDevice } from '../support/make-device.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('atomic replacement of files', () => {
  let folder = '';
  beforeEach(async () => (folder = await folderWith({ 'draft.txt': 'new', 'outside.txt': 'mine' })));
  afterEach(() => removeFolder(folder));

  const others: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a device': (path) => makeDevice(path, 'full'),
    'a pipe': async (path) => assert.equal(spawnSync('mkfifo', [path]).status, 0),
  };
  const writers: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
    'a file that takes its place': (path) => moveIntoPlace(join(folder, 'draft.txt'), path),
    'a text that is written': (path) => writeFileAtomic(path, 'new'),
    async 'an export of one file'(path) {
      const exported = await createExportFolder(folder);
      await writeFile(join(exported.path, 'one'), 'new');
      await exported.publishFile('one', path).finally(() => exported.remove());
    },
  };
  for (const [what, write] of Object.entries(writers)) {
    for (const [kind, make] of Object.entries(others)) {
      it(`${what} › does not replace ${kind}`, async () => {
        const path = join(folder, 'there');
        await make(path);
        const { mode, ino } = await lstat(path);
        await assert.rejects(write(path), { code: 'not-a-file', message: `${path} is ${kind}, not a file.` });
        const after = await lstat(path);
        assert.deepEqual([after.mode, after.ino], [mode, ino]);
        const left = (await readdir(folder)).filter((name) => name.startsWith('.'));
        assert.deepEqual(left, []);
      });
    }
  }

  it('an export follows no link in its folder, nor to its marker file', async () => {
    const output = join(folder, 'out');
    await mkdir(output);
    await writeFile(join(output, 'notes.txt'), 'mine');
    for (const name of ['.entity-graph-export.json', '.entity-graph-export.json.new', 'event.csv'])
      await symlink('../outside.txt', join(output, name));
    const exported = await createExportFolder(folder);
    await writeFile(join(exported.path, 'event.csv'), 'new');
    await exported.publishInto(['event.csv'], output);
    await exported.remove();
    assert.equal(await readFile(join(folder, 'outside.txt'), 'utf8'), 'mine');
    assert.equal(await readFile(join(output, 'event.csv'), 'utf8'), 'new');
    assert.deepEqual(JSON.parse(await readFile(join(output, '.entity-graph-export.json'), 'utf8')), {
      files: ['event.csv'],
    });
  });
});
