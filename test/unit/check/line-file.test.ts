import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLineFile } from '../../../server/src/event-logs/line-file.ts';
import { openFilesBelow } from '../../support/open-files.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

describe('line file writer', () => {
  it('writes every line, and keeps no file open between writes', async () => {
    const folder = await folderWith({});
    try {
      const path = join(folder, 'lines.ndjson');
      const file = await createLineFile(path);
      const lines = Array.from({ length: 300 }, (_, index) => `{"i":${index},"text":"${'x'.repeat(10_000)}"}`);
      for (const line of lines) await file.write(line);
      assert.deepEqual(await openFilesBelow(folder), []);
      await file.close();
      assert.equal(await readFile(path, 'utf8'), `${lines.join('\n')}\n`);
      await file.remove();
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await removeFolder(folder);
    }
  });
});
