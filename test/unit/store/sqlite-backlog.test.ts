import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { once } from 'node:events';
import { createBacklog } from '../../../server/src/store/sqlite-reader/backlog.ts';

/** A thread that adds two files and waits until one is read; sends the result. */
const waiting = `
  const { parentPort, workerData } = require('node:worker_threads');
  require('tsx/cjs');
  const { createBacklog } = require(workerData.module);
  const backlog = createBacklog(workerData.buffer);
  backlog.add();
  backlog.add();
  parentPort.postMessage('waits');
  try { backlog.waitBelow(2); parentPort.postMessage('goes on'); }
  catch (error) { parentPort.postMessage(error.message); }`;

async function after(change: (backlog: ReturnType<typeof createBacklog>) => void): Promise<unknown> {
  const backlog = createBacklog();
  const module = new URL('../../../server/src/store/sqlite-reader/backlog.ts', import.meta.url).pathname;
  const thread = new Worker(waiting, { eval: true, workerData: { buffer: backlog.buffer, module } });
  try {
    assert.deepEqual(await once(thread, 'message'), ['waits']);
    const answer = once(thread, 'message');
    change(backlog);
    const [said] = (await answer) as [unknown];
    return said;
  } finally {
    await thread.terminate();
  }
}

describe('backlog of written files', () => {
  it('blocks the thread of SQLite until a file is read', async () => {
    assert.equal(await after((backlog) => backlog.remove()), 'goes on');
  });

  it('ends the thread when nobody reads any more', async () => {
    assert.equal(await after((backlog) => backlog.close()), 'Nobody reads the rows any more.');
  });
});
