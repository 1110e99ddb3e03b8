import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createDuckDbClient } from '../../server/src/engine/duckdb-client.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('DuckDB process for files', () => {
  it('when it exits, rejects every open question and restarts for the next one', async () => {
    const folder = await folderWith({
      'ends.cjs': `
        const { writeFileSync, existsSync } = require('node:fs');
        const first = __filename + '.started';
        if (!existsSync(first)) {
          writeFileSync(first, '');
          process.exit();
        }
        process.on('message', ({ id }) => process.send({ kind: 'result', id, value: [] }));
        process.on('disconnect', () => process.exit());
      `,
    });
    try {
      const client = createDuckDbClient(join(folder, 'ends.cjs'));
      const ask = () => client.askSql({ statement: 'SELECT 1' });
      const answers = [ask()];
      // The end of the process goes unnoticed during this wait: the next requests are sent to a process that has ended.
      spawnSync(process.execPath, ['-e', 'setTimeout(() => undefined, 1000)']);
      answers.push(ask(), ask(), ask());
      for (const answer of await Promise.allSettled(answers)) {
        assert.equal(answer.status, 'rejected');
        assert.ok(isSourceError(answer.reason), String(answer.reason));
        assert.match(answer.reason.message, /ended unexpectedly/);
      }
      assert.deepEqual(await ask(), []);
    } finally {
      await removeFolder(folder);
    }
  });

  it('sends the statements of one turn together, and gives each its own answer', async () => {
    const folder = await folderWith({
      'counts.cjs': `
        let messages = 0;
        process.on('message', ({ id, params }) => {
          messages += 1;
          const value = params.map(({ statement }) => [{ kind: 'other', position: messages, message: statement }]);
          process.send({ kind: 'result', id, value });
        });
        process.on('disconnect', () => process.exit());
      `,
    });
    try {
      const client = createDuckDbClient(join(folder, 'counts.cjs'));
      const ask = (statement: string) => client.askSql({ statement });
      const first = await Promise.all(['SELECT 1', 'SELECT 2'].map(ask));
      const second = await ask('SELECT 3');
      assert.deepEqual(
        [...first, second].map(([mistake]) => [mistake?.position, mistake?.message]),
        [
          [1, 'SELECT 1'],
          [1, 'SELECT 2'],
          [2, 'SELECT 3'],
        ],
      );
    } finally {
      await removeFolder(folder);
    }
  });
});
