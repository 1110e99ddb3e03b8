import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readStatusFile } from '../../../server/src/state/status-file.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

describe('status file', () => {
  const failed = { version: 1, status: 'Imported', progress: 'Import failed at data pull: The server is down.' };

  it('of an earlier version says that its import failed', async () => {
    const folder = await folderWith({
      'failed.json': JSON.stringify(failed),
      'cancelled.json': JSON.stringify({ ...failed, progress: 'Import cancelled at data pull' }),
    });
    try {
      assert.deepEqual(await readStatusFile(join(folder, 'failed.json')), { ...failed, hasFailed: true });
      assert.equal((await readStatusFile(join(folder, 'cancelled.json'))).hasFailed, undefined);
    } finally {
      await removeFolder(folder);
    }
  });

  it('that is missing or damaged stands for a graph that was never imported', async () => {
    const folder = await folderWith({ 'damaged.json': '{', 'newer.json': JSON.stringify({ ...failed, version: 2 }) });
    try {
      for (const name of ['missing.json', 'damaged.json', 'newer.json']) {
        assert.equal((await readStatusFile(join(folder, name))).status, 'Not Imported');
      }
    } finally {
      await removeFolder(folder);
    }
  });
});
