import assert from 'node:assert/strict';
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { sweepLeftovers } from '../../server/src/operations/imports/sweep-leftovers.ts';
import { draftOf } from '../../server/src/files/write-atomic.ts';
import { endedProcess, tagOf } from '../support/ended-process.ts';
import { csvSources } from '../support/import-text.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

describe('temporary files of killed processes', () => {
  it('are deleted when an editor opens the folder, anywhere in the state folder; those of running processes stay', async () => {
    const folder = await folderWith({ 'entity-sources.yaml': csvSources() });
    const gone = await tagOf(endedProcess);
    const outside = await folderWith({ [`.entity-graph-01234567-${gone}-abc123.tmp`]: 'mine' });
    try {
      const running = (await draftOf(join(folder, '.entity-graph/layout/below/shop.json'))).slice(folder.length + 1);
      await writeFiles(folder, {
        [running]: 'being written',
        ...Object.fromEntries(
          ['', 'layout/', 'layout/below/', 'state/', 'catalog/', 'graphs/shop/'].map((below) => [
            `.entity-graph/${below}.entity-graph-01234567-${gone}-abc123.tmp`,
            'left',
          ]),
        ),
        '.entity-graph/layout/notes.tmp': 'mine',
      });
      await symlink(outside, join(folder, '.entity-graph/link'));
      await sweepLeftovers([folder]);
      const left = await readdir(join(folder, '.entity-graph'), { recursive: true });
      // This listing goes into the linked folder.
      const own = left.filter((name) => name.endsWith('.tmp') && !name.startsWith('link/'));
      assert.deepEqual(own.toSorted(), [running.slice('.entity-graph/'.length), 'layout/notes.tmp']);
      assert.equal((await readdir(outside)).length, 1);
    } finally {
      await Promise.all([folder, outside].map(removeFolder));
    }
  });
});
