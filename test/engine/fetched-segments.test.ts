import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSegmentFile } from '../../server/src/connectors/fetched/segment-file.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('segment file that cannot be written', () => {
  it('fails every later write instead of hanging', async () => {
    const folder = await folderWith({ 'a folder/inside.txt': '' });
    // A folder is in the way.
    const file = openSegmentFile(join(folder, 'a folder'));
    try {
      const writeOn = async (): Promise<never> => {
        for (;;) {
          await file.write(['{}\n'], 1);
          await nextTurn();
        }
      };
      const failure = { code: 'source-failed', message: /could not be written in .*: EISDIR/ };
      await assert.rejects(writeOn(), failure);
      await assert.rejects(file.write(['{}\n'], 1), failure);
      await assert.rejects(file.end(), failure);
    } finally {
      await file.remove();
      await removeFolder(folder);
    }
  });
});
