import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type LockAttempt, acquireLock, lockOwner } from '../../server/src/state/import-lock.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

describe('the lock of an import', () => {
  let folder = '';
  let path = '';
  /** The number of a process that has ended. */
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
  /** Begins while others are at any step of it. */
  const startedLater = async (turns: number): Promise<LockAttempt> => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    return acquireLock(path);
  };
  const release = (attempts: readonly LockAttempt[]): Promise<unknown> =>
    Promise.all(attempts.map((attempt) => attempt.kind === 'locked' && attempt.release()));

  const abandoned: Readonly<Record<string, () => Promise<void>>> = {
    'whose process has ended': () => writeFile(path, owner(deadPid)),
    'that nobody has touched for a minute': async () => {
      await writeFile(path, owner(1, 'elsewhere'));
      const longAgo = new Date(Date.now() - 120_000);
      await utimes(path, longAgo, longAgo);
    },
    'that was never written to its end': async () => {
      await writeFile(path, '');
      const longAgo = new Date(Date.now() - 120_000);
      await utimes(path, longAgo, longAgo);
    },
  };
  for (const [what, abandon] of Object.entries(abandoned)) {
    it(`${what} is taken over by one of several that race for it`, async () => {
      for (let round = 0; round < 40; round += 1) {
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

  it('stays with a living process when the clock is set, or the machine has slept', async () => {
    const beatMs = 50;
    const first = await acquireLock(path, beatMs);
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(path, longAgo, longAgo);
    assert.equal((await lockOwner(path))?.pid, process.pid);
    assert.equal((await acquireLock(path, beatMs)).kind, 'busy');
    await release([first]);
  });

  it('is taken over from a process that has only been given the number of its owner', async () => {
    await writeFile(path, owner(process.ppid));
    const longAgo = new Date(Date.now() - 120_000);
    await utimes(path, longAgo, longAgo);
    const attempts = await Promise.all([acquireLock(path, 50), acquireLock(path, 50)]);
    assert.deepEqual(attempts.map(({ kind }) => kind).sort(), ['busy', 'locked']);
    await release(attempts);
  });

  it('is taken over also when a process ended while it did so', async () => {
    await writeFile(path, owner(deadPid));
    await writeFile(`${path}.discard`, owner(deadPid));
    const attempt = await acquireLock(path);
    assert.equal(attempt.kind, 'locked');
    await release([attempt]);
    assert.deepEqual(await readdir(folder), []);
  });

  it('is not taken away from who has it, nor released by who has lost it', async () => {
    const first = await acquireLock(path);
    assert.equal(first.kind, 'locked');
    assert.equal((await acquireLock(path)).kind, 'busy');
    // This process was stopped for long: another one has taken over.
    await writeFile(path, owner(process.ppid));
    await release([first]);
    assert.equal(await readFile(path, 'utf8'), owner(process.ppid));
  });
});
