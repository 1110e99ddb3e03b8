import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canRefuseLinks, readText, readTextAndStats } from '../../../server/src/files/read-text.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

describe('reading a text file', () => {
  let folder = '';
  const long = 'Größe\n'.repeat(20_000);
  beforeEach(async () => {
    folder = await folderWith({ 'short.txt': 'Größe\n', 'long.txt': long, 'empty.txt': '' });
  });
  afterEach(() => removeFolder(folder));

  it('gives the text, however long, and the times and size of the file', async () => {
    for (const [name, text] of [
      ['short.txt', 'Größe\n'],
      ['long.txt', long],
      ['empty.txt', ''],
    ] as const) {
      const path = join(folder, name);
      const { mtimeMs, birthtimeMs, size } = await stat(path);
      const read = await readTextAndStats(path);
      assert.equal(read.text, text);
      assert.deepEqual([read.stats.mtimeMs, read.stats.birthtimeMs, read.stats.size], [mtimeMs, birthtimeMs, size]);
    }
  });

  it('follows a link, unless links are refused', async () => {
    if (!canRefuseLinks) return;
    const link = join(folder, 'link.txt');
    await symlink(join(folder, 'short.txt'), link);
    assert.equal(await readText(link), 'Größe\n');
    await assert.rejects(readTextAndStats(link, { refusesLink: true }), { code: 'ELOOP' });
    assert.equal((await readTextAndStats(join(folder, 'short.txt'), { refusesLink: true })).text, 'Größe\n');
  });

  it('follows a linked folder even when links are refused', async () => {
    if (!canRefuseLinks) return;
    const linked = `${folder}-link`;
    await symlink(folder, linked);
    try {
      assert.equal((await readTextAndStats(join(linked, 'short.txt'), { refusesLink: true })).text, 'Größe\n');
    } finally {
      await removeFolder(linked);
    }
  });

  it('refuses a pipe without waiting for its writer, a folder and a missing file', async () => {
    await assert.rejects(readText(folder), { code: 'EISDIR' });
    await assert.rejects(readText(join(folder, 'missing.txt')), { code: 'ENOENT' });
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await assert.rejects(readText(join(folder, 'pipe')), { code: 'not-a-file' });
  });

  it('refuses a file beyond a given size, before it is read', async () => {
    const path = join(folder, 'large.txt');
    await writeFile(path, '');
    await truncate(path, 17 * 2 ** 20);
    await assert.rejects(readTextAndStats(path, { maxBytes: 16 * 2 ** 20 }), {
      code: 'file-too-large',
      message: `${path} has 17 MB; files of this kind are read up to 16 MB.`,
    });
  });
});
