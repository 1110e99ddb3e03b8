import { randomBytes } from 'node:crypto';
import { open, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileError } from '../files/file-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeNewFile } from '../files/write-atomic.ts';
import { type ProcessMark, fateOf, ownMark, readMark } from '../files/process-mark.ts';

/** Who is importing an entity graph. */
export interface LockOwner extends ProcessMark {
  /** ISO 8601, UTC. */
  readonly since: string;
}

export interface HeldLock {
  readonly kind: 'locked';
  /** Whether it still is ours: who was stopped for long may have lost it. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export type LockAttempt = HeldLock | { readonly kind: 'busy'; readonly owner: LockOwner };

export interface LockOptions {
  /** How often the owner touches its lock. */
  readonly beatMs?: number;
  /** Takes an owner of which nothing is known for one that is there, rather than to wait for its sign of life. */
  readonly mayNotWait?: boolean;
  /** Aborting ends that wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called before it. */
  readonly onWait?: (owner: LockOwner) => void;
}

const heartbeatMs = 5_000;

/** A lock that was touched so recently is not watched: its owner is taken at its word. */
const recentMs = 60_000;

/** Beats without which an owner is gone. */
const silentBeats = 3;

/** How long to wait for another process that is removing an abandoned lock, and how often. */
const waitMs = 20;
const attempts = 100;

/**
 * Takes the lock at `path`, or says who has it. A lock whose process has ended is taken over. Of one whose process cannot be known, as it
 * is another machine's, it is seen whether its owner touches it: no clock is trusted, neither that machine's nor this one's of another
 * time. Rejects with the error of the file system or the signal's reason.
 */
export async function acquireLock(path: string, options: LockOptions = {}): Promise<LockAttempt> {
  const { beatMs = heartbeatMs, mayNotWait = false, signal, onWait } = options;
  const silenceMs = silentBeats * beatMs;
  await makeFolder(dirname(path));
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    signal?.throwIfAborted();
    const text = await create(path);
    if (text !== undefined) return held(path, text, beatMs);
    const found = await look(path);
    if (found.state === 'free') continue;
    if (found.state === 'held' || (found.state === 'unsure' && mayNotWait)) return { kind: 'busy', owner: found.owner };
    if (found.state === 'unsure') {
      onWait?.(found.owner);
      const after = await watch(path, found, silenceMs, signal);
      if (after === 'touched') return { kind: 'busy', owner: found.owner };
      if (after === 'another') continue;
    }
    await discard(path, found, silenceMs, signal);
  }
  throw new FileError('file-in-use', `${path} cannot be taken: other processes are after it all the time.`, {
    file: path,
    remedy: 'Try again in a moment.',
  });
}

/** The owner of the lock at `path`, also one of which nothing is known; undefined when it is free or abandoned. */
export async function lockOwner(path: string): Promise<LockOwner | undefined> {
  const found = await look(path);
  return found.state === 'held' || found.state === 'unsure' ? found.owner : undefined;
}

/** What a lock was when it was looked at. */
interface LockState {
  readonly text: string;
  readonly mtimeMs: number;
}

type FoundLock =
  | { readonly state: 'free' }
  | (LockState & ({ readonly state: 'abandoned' } | { readonly state: 'held' | 'unsure'; readonly owner: LockOwner }));

async function look(path: string): Promise<FoundLock> {
  const lock = await read(path);
  if (!lock) return { state: 'free' };
  const owner = readOwner(lock.text);
  // Where a lock cannot be made at once, its owner's name is there in a moment.
  if (!owner) return { state: 'unsure', owner: nobody, ...lock };
  const fate = await fateOf(owner);
  if (fate === 'gone') return { state: 'abandoned', ...lock };
  if (fate === 'lives') return { state: 'held', owner, ...lock };
  const age = Date.now() - lock.mtimeMs;
  return { state: age >= 0 && age < recentMs ? 'held' : 'unsure', owner, ...lock };
}

const nobody: LockOwner = { pid: 0, host: hostname(), since: '' };

/** Through an open file: disks of other machines answer older questions from memory. */
async function read(path: string): Promise<LockState | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  try {
    const { mtimeMs } = await file.stat();
    return { text: await file.readFile('utf8'), mtimeMs };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Whether the owner of a lock touches it within some time of this process's own clock, which nobody sets. */
async function watch(
  path: string,
  before: LockState,
  withinMs: number,
  signal: AbortSignal | undefined,
): Promise<'touched' | 'another' | 'silent'> {
  for (const until = performance.now() + withinMs; performance.now() < until;) {
    await delay(Math.min(waitMs, withinMs), undefined, signal && { signal });
    const now = await read(path);
    if (now?.text !== before.text) return 'another';
    if (now.mtimeMs !== before.mtimeMs) return 'touched';
  }
  return 'silent';
}

/** What was written into a new lock; undefined when there is one. */
async function create(path: string): Promise<string | undefined> {
  const owner: LockOwner = { ...(await ownMark()), since: new Date().toISOString() };
  const text = JSON.stringify({ ...owner, id: randomBytes(4).toString('hex') });
  try {
    // Whole at once: a lock without a word in it would have to be watched.
    await writeNewFile(path, text, false);
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

function held(path: string, text: string, beatMs: number): HeldLock {
  const isHeld = async (): Promise<boolean> => (await read(path))?.text === text;
  const timer = setInterval(async () => {
    const now = new Date();
    if (await isHeld()) await utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  timer.unref();
  return {
    kind: 'locked',
    isHeld,
    async release() {
      clearInterval(timer);
      await removeOwn(path, text);
    },
  };
}

/** Whoever was stopped for so long that the lock was taken over has none to release. */
async function removeOwn(path: string, text: string): Promise<void> {
  if ((await read(path))?.text === text) await rm(path, { force: true });
}

/**
 * Removes an abandoned lock. Several processes may have found it so, and by now one of them may have a lock of its own there: only who has the
 * claim removes anything, after another look. A claim that is itself abandoned is removed in the same way.
 */
async function discard(
  path: string,
  judged: LockState,
  silenceMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const claim = `${path}.discard`;
  const text = await create(claim);
  if (text === undefined) {
    const found = await look(claim);
    if (found.state === 'free') return;
    // A claim is held for moments: one that stays is nobody's.
    const isStale = found.state === 'abandoned' || (await watch(claim, found, silenceMs, signal)) === 'silent';
    if (isStale) await discard(claim, found, silenceMs, signal);
    return;
  }
  try {
    const now = await read(path);
    if (now?.text === judged.text && now.mtimeMs === judged.mtimeMs) await rm(path, { force: true });
  } finally {
    await removeOwn(claim, text);
  }
}

function readOwner(text: string): LockOwner | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const mark = readMark(value);
    const { since } = value as { readonly since?: unknown };
    return mark && { ...mark, since: typeof since === 'string' ? since : '' };
  } catch {
    return undefined;
  }
}
