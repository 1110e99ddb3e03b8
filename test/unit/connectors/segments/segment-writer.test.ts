import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { segmentWriter } from '../../../../server/src/connectors/segments/segment-writer.ts';
import { openFilesBelow } from '../../../support/open-files.ts';
import { folderWith, removeFolder } from '../../../support/temporary-folder.ts';

describe('segment writer after a lost connection', () => {
  it('closes and deletes its file, whenever the write is interrupted', async () => {
    const folder = await folderWith({});
    try {
      const lost = new Error('The connection is lost.');
      for (let turns = 0; turns < 12; turns += 1) {
        const writer = segmentWriter({
          pathOf: (number) => join(folder, `${turns}-${number}.csv`),
          take: async () => undefined,
          onRows: undefined,
        });
        writer.on('error', () => undefined);
        writer.write(Buffer.from('1,a\n'));
        for (let turn = 0; turn < turns; turn += 1) await stat(folder);
        writer.destroy(lost);
        await new Promise((resolve) => writer.once('close', resolve));
        assert.deepEqual(await readdir(folder), [], `${turns} turns`);
        assert.deepEqual(await openFilesBelow(folder), [], `${turns} turns`);
      }
    } finally {
      await removeFolder(folder);
    }
  });

  it('deletes a segment that was written while another one failed to load', async () => {
    const folder = await folderWith({});
    try {
      const failed = new Error('It cannot be loaded.');
      const writer = segmentWriter({
        pathOf: (number) => join(folder, `${number}.csv`),
        take: async () => {
          throw failed;
        },
        onRows: undefined,
      });
      const closed = new Promise((resolve) => writer.once('close', resolve));
      const errors: unknown[] = [];
      writer.on('error', (error) => errors.push(error));
      const row = Buffer.from(`${'x'.repeat(25_000_000)}\n`);
      for (let count = 0; count < 4; count += 1) writer.write(row);
      writer.end();
      await closed;
      assert.deepEqual(errors, [failed]);
      assert.deepEqual(await readdir(folder), []);
    } finally {
      await removeFolder(folder);
    }
  });
});
