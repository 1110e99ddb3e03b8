import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type OnDemandProcess,
  ProcessEnded,
  createOnDemandProcess,
  startChildProcess,
} from '../../server/src/engine/rpc/child-process.ts';
import {
  type JobMethods,
  type NameMethods,
  type ServiceMethods,
  nameShapes,
  rpcProgram,
} from '../support/rpc-programs.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Longer than any test. */
const neverIdleMs = 3_600_000;

describe('child process RPC › process on demand', () => {
  let pids: number[] = [];

  function startService(idleMs = neverIdleMs): OnDemandProcess<ServiceMethods> {
    return createOnDemandProcess<ServiceMethods>(rpcProgram('rpc-service'), idleMs);
  }
  async function pidOf(service: OnDemandProcess<ServiceMethods>): Promise<number> {
    const pid = await service.request('pid', {});
    pids.push(pid);
    return pid;
  }
  afterEach(() => {
    for (const pid of pids.filter(isRunning)) process.kill(pid, 'SIGKILL');
    pids = [];
  });

  it('answers requests with progress, cancellation and failures, side by side', async () => {
    const service = startService();
    await pidOf(service);
    const reached: number[] = [];
    const abort = new AbortController();
    const aborted = service.request(
      'untilAborted',
      {},
      { signal: abort.signal, onProgress: () => abort.abort(new Error('Enough.')) },
    );
    const counted = service.request('countTo', { last: 3 }, { onProgress: (each) => reached.push(each) });
    await assert.rejects(
      service.request('fail', { message: 'The table is broken.' }),
      /^Error: The table is broken\.$/,
    );
    assert.equal(await counted, 3);
    assert.deepEqual(reached, [1, 2, 3]);
    assert.equal(await aborted, 'Error: Cancelled.');
    assert.equal(await service.request('untilAborted', {}, { signal: abort.signal }), 'Error: Cancelled.');
    assert.equal(service.unanswered, 0);
  });

  it('rejects a request with malformed parameters or an unknown method, and answers the next one', async () => {
    const service = startService();
    await assert.rejects(
      service.request('countTo', { last: 'three' as never }),
      /"params\.last" must be a whole number/,
    );
    await assert.rejects(service.request('constructor' as 'pid', {}), /"method" must be one of "pid", /);
    assert.equal(await service.request('countTo', { last: 2 }), 2);
    await pidOf(service);
  });

  it('rejects all open requests when the process ends, and starts a new process for the next request', async () => {
    const service = startService();
    const first = await pidOf(service);
    const open = [service.request('untilAborted', {}), service.request('exit', { code: 3 })];
    for (const result of await Promise.allSettled(open)) {
      assert.ok(result.status === 'rejected' && result.reason instanceof ProcessEnded);
      assert.equal(result.reason.how, 'exit code 3');
    }
    assert.notEqual(await pidOf(service), first);
  });

  it("kills the process when a response exceeds the caller's timeout", async () => {
    const service = startService();
    const stuck = await pidOf(service);
    await assert.rejects(service.request('neverReturn', {}, { killAfterMs: 100 }), { how: 'SIGTERM' });
    assert.ok(!isRunning(stuck));
    await pidOf(service);
  });

  it('ends an idle process, and starts a new one for the next request', async () => {
    const service = startService(1);
    const first = await pidOf(service);
    await waitUntil('the process has ended', async () => (isRunning(first) ? undefined : true));
    assert.notEqual(await pidOf(service), first);
  });

  it('rejects when the program is missing', async () => {
    const service = createOnDemandProcess<ServiceMethods>({ path: join(import.meta.dirname, 'none.js') }, neverIdleMs);
    await assert.rejects(service.request('pid', {}), { how: 'exit code 1' });
  });
});

describe('child process RPC › process for one request', () => {
  const startJob = (name: () => Promise<string | undefined>) =>
    startChildProcess<JobMethods, NameMethods>(rpcProgram('rpc-job'), { shapes: nameShapes, answers: { name } });

  it('lets the process send requests to its parent, and ends it after the response', async () => {
    const job = startJob(async () => 'Ada');
    assert.equal(await job.request('greet', {}), 'Hello, Ada!');
    assert.equal(await job.ended, 'exit code 0');
  });

  it('ends the process when its only request fails', async () => {
    const job = startJob(() => Promise.reject(new Error('No name is known.')));
    await assert.rejects(job.request('greet', {}), /^Error: No name is known\.$/);
    assert.equal(await job.ended, 'exit code 0');
  });

  it('ends the process when the request is malformed', async () => {
    const job = startJob(async () => 'Ada');
    await assert.rejects(job.request('reportAfter', {} as never));
    assert.equal(await job.ended, 'exit code 1');
  });

  it('aborts the request when the parent has exited and progress cannot be sent', async () => {
    const folder = await folderWith({});
    const job = startJob(async () => 'Ada');
    try {
      const file = join(folder, 'go');
      let start = (): void => undefined;
      const started = new Promise<void>((resolve) => (start = resolve));
      const reported = job.request('reportAfter', { file }, { onProgress: () => start() });
      const rejected = assert.rejects(reported, ProcessEnded);
      await started;
      // The job is blocked until the file exists: it reports once more before it notices the closed channel.
      job.disconnect();
      await writeFile(file, '');
      await rejected;
      assert.equal(await job.ended, 'exit code 0');
      assert.equal(await readFile(`${file}.aborted`, 'utf8'), 'ParentEnded: The language server has ended.');
    } finally {
      job.kill('SIGKILL');
      await removeFolder(folder);
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
