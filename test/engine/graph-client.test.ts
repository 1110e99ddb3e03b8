import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createGraphClient } from '../../server/src/engine/graph-client.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('event graph client', () => {
  it('rejects open questions when the process exits, and restarts it for the next one', async () => {
    const folder = await folderWith({
      'ends.cjs': `
        const { writeFileSync, existsSync } = require('node:fs');
        const first = __filename + '.started';
        if (!existsSync(first)) {
          writeFileSync(first, '');
          process.exit();
        }
        process.on('message', ({ id }) => process.send({ kind: 'result', id, value: { ok: true, value: [] } }));
        process.on('disconnect', () => process.exit());
      `,
    });
    try {
      const client = createGraphClient(join(folder, 'ends.cjs'));
      const { signal } = new AbortController();
      const ask = () => client.ask('/none.duckdb', 'tables', {}, signal);
      const answers = [ask()];
      // The event loop is blocked, so the end of the process goes unnoticed: the next requests are lost.
      spawnSync(process.execPath, ['-e', 'setTimeout(() => undefined, 1000)']);
      answers.push(ask(), ask(), ask());
      for (const answer of await Promise.all(answers)) assert.equal(!answer.ok && answer.error.code, 'engine-ended');
      assert.deepEqual(await ask(), { ok: true, value: [] });
    } finally {
      await removeFolder(folder);
    }
  });
});
