import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type ProcessMark, ownMark } from '../../server/src/files/process-mark.ts';
import { type LockAttempt, acquireLock, lockOwner } from '../../server/src/state/import-lock.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

/** Heartbeat interval of locks in tests: a lock without heartbeats is abandoned. */
const beatMs = 50;

describe('import lock', () => {
  let folder = '';
  let path = '';
  /** The id of an ended process. */
  let deadPid = 0;

  before(() => {
    deadPid = spawnSync(process.execPath, ['--version']).pid;
  });
  beforeEach(async () => {
    folder = await folderWith({});
    path = join(folder, 'graph.lock');
  });
  afterEach(() => removeFolder(folder));

  const owner = (pid: number, host = hostname()): string =>
    JSON.stringify({ pid, host, since: '2024-01-01T00:00:00.000Z' });
  /** Starts while others are at any step. */
  const startedLater = async (turns: number): Promise<LockAttempt> => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    return acquireLock(path, { beatMs });
  };
  const release = (attempts: readonly LockAttempt[]): Promise<unknown> =>
    Promise.all(attempts.map((attempt) => attempt.kind === 'locked' && attempt.release()));

  const hour = 3_600_000;
  const lockedAt = async (text: string, ms: number): Promise<void> => {
    await writeFile(path, text);
    await utimes(path, new Date(ms), new Date(ms));
  };
  const abandoned: Readonly<Record<string, () => Promise<void>>> = {
    'whose process has ended': () => writeFile(path, owner(deadPid)),
    'whose process has ended, and whose time is still to come': () => lockedAt(owner(deadPid), Date.now() + 5 * hour),
    'of another machine that nobody touches': () => lockedAt(owner(1, 'elsewhere'), Date.now() - 2 * hour),
    'of another machine that nobody touches, and whose time is still to come': () =>
      lockedAt(owner(1, 'elsewhere'), Date.now() + 5 * hour),
    'that was never written to its end': () => lockedAt('', Date.now() - 2 * hour),
    'that was never written to its end a moment ago': () => writeFile(path, ''),
    'with something else in it': () => writeFile(path, '{"pid":"1"}'),
  };
  for (const [what, abandon] of Object.entries(abandoned)) {
    it(`${what} is taken over by exactly one of several competitors`, async () => {
      for (let round = 0; round < 20; round += 1) {
        await abandon();
        const attempts = await Promise.all(Array.from({ length: 6 }, (_, index) => startedLater(index * (round % 8))));
        const kinds = attempts.map(({ kind }) => kind).sort();
        assert.deepEqual(kinds, [...Array<string>(5).fill('busy'), 'locked'], `round ${round}`);
        assert.equal((await lockOwner(path))?.pid, process.pid);
        await release(attempts);
        assert.deepEqual(await readdir(folder), []);
      }
    });
  }

  for (const [clock, shift] of Object.entries({ 'is set back': -5 * hour, 'is set forward': 5 * hour })) {
    it(`stays with a living process when the clock ${clock}, or after the machine slept`, async () => {
      const first = await acquireLock(path, { beatMs });
      const then = new Date(Date.now() + shift);
      await utimes(path, then, then);
      assert.equal((await lockOwner(path))?.pid, process.pid);
      assert.equal((await acquireLock(path, { beatMs })).kind, 'busy');
      await release([first]);
    });

    it(`stays with another machine that refreshes it, regardless of its clock (it ${clock})`, async () => {
      let time = Date.now() + shift;
      await lockedAt(owner(1, 'elsewhere'), time);
      const beats = setInterval(() => {
        time += beatMs;
        void utimes(path, new Date(time), new Date(time));
      }, beatMs);
      try {
        const attempts = await Promise.all([acquireLock(path, { beatMs: 200 }), acquireLock(path, { beatMs: 200 })]);
        assert.deepEqual(
          attempts.map(({ kind }) => kind),
          ['busy', 'busy'],
        );
      } finally {
        clearInterval(beats);
      }
    });
  }

  // Windows does not report when a process started; the test sees whether the lock is touched.
  const strangers: Readonly<Record<string, (mark: ProcessMark) => object>> = {
    'as it says when it started': ({ started }) => ({ started: { system: started?.system, time: 'another' } }),
    'as it never touches the lock': () => ({}),
  };
  for (const [how, started] of Object.entries(strangers)) {
    for (const [time, shift] of Object.entries({ 'long past': -2 * hour, 'still to come': 5 * hour })) {
      it(`is taken over from another process that reused the owner's id, ${how}, its time ${time}`, async () => {
        const mark = { ...(JSON.parse(owner(process.ppid)) as object), ...started(await ownMark()) };
        await lockedAt(JSON.stringify(mark), Date.now() + shift);
        const attempts = await Promise.all([acquireLock(path, { beatMs }), acquireLock(path, { beatMs })]);
        assert.deepEqual(attempts.map(({ kind }) => kind).sort(), ['busy', 'locked']);
        await release(attempts);
      });
    }
  }

  it("is reported as free when its owner's process id was reused", async function () {
    const { started } = await ownMark();
    // Where the system does not report when a process started, only a waiting process can tell.
    if (!started) assert.notEqual(process.platform, 'linux');
    await writeFile(
      path,
      JSON.stringify({ ...(JSON.parse(owner(process.ppid)) as object), started: started && { ...started, time: '1' } }),
    );
    assert.equal((await lockOwner(path))?.pid, started ? undefined : process.ppid);
  });

  it('waits for an unknown owner only on request, and the wait can be cancelled', async () => {
    await lockedAt(owner(1, 'elsewhere'), Date.now() - 2 * hour);
    assert.equal((await acquireLock(path, { mayNotWait: true })).kind, 'busy');
    const abort = new AbortController();
    const waiting = acquireLock(path, { signal: abort.signal, onWait: () => abort.abort() });
    await assert.rejects(waiting, { name: 'AbortError' });
  });

  it('knows whether it is still held', async () => {
    const first = await acquireLock(path);
    assert.ok(first.kind === 'locked' && (await first.isHeld()));
    await writeFile(path, owner(process.ppid));
    assert.equal(await first.isHeld(), false);
    await release([first]);
  });

  it('is taken over after a process ended during a takeover', async () => {
    await writeFile(path, owner(deadPid));
    await writeFile(`${path}.discard`, owner(deadPid));
    const attempt = await acquireLock(path, { beatMs });
    assert.equal(attempt.kind, 'locked');
    await release([attempt]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('is taken over after a machine was lost during a takeover', async () => {
    await writeFile(path, owner(deadPid));
    await writeFile(`${path}.discard`, owner(1, 'elsewhere'));
    const attempt = await acquireLock(path, { beatMs });
    assert.equal(attempt.kind, 'locked');
    await release([attempt]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('cannot be taken from its holder, nor released by a former holder', async () => {
    const first = await acquireLock(path);
    assert.equal(first.kind, 'locked');
    assert.equal((await acquireLock(path)).kind, 'busy');
    // This process was suspended for long: another one has taken the lock.
    await writeFile(path, owner(process.ppid));
    await release([first]);
    assert.equal(await readFile(path, 'utf8'), owner(process.ppid));
  });
});
