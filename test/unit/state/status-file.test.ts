import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readStatusFile } from '../../../server/src/state/status-file.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

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
