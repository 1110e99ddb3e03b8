import { randomBytes } from 'node:crypto';
import { open, rm, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FileError } from '../files/file-error.ts';
import { makeFolder } from '../files/make-folder.ts';
import { writeNewFile } from '../files/write-atomic.ts';
import { type ProcessMark, processStateOf, ownMark, readMark } from '../files/process-mark.ts';

/** The importing process. */
export interface LockOwner extends ProcessMark {
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** The owner of a lock in a message: a lock that was cut short, or that another program wrote, does not name it. */
export function ownerText({ pid, host, since }: LockOwner): string {
  if (pid === nobody.pid) return 'another process, which its lock does not name';
  return `process ${pid} on ${host}${since === '' ? '' : ` since ${since}`}`;
}

interface HeldLock {
  readonly kind: 'locked';
  /** Whether it is still held: after a long suspension it may have been taken over. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

export type LockAttempt = HeldLock | { readonly kind: 'busy'; readonly owner: LockOwner };

export interface LockOptions {
  /** Heartbeat interval of the owner. */
  readonly beatMs?: number | undefined;
  /** Treats an unknown owner as alive instead of waiting for its heartbeat. */
  readonly mayNotWait?: boolean | undefined;
  /** Aborting ends that wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called before waiting. */
  readonly onWait?: ((owner: LockOwner) => void) | undefined;
}

const heartbeatMs = 5_000;

/** A lock refreshed this recently is taken as alive without waiting. */
const recentMs = 60_000;

/** Number of missed heartbeats after which an owner is gone. */
const silentBeats = 3;

/** Timeout and interval of waiting for another process that removes an abandoned lock. */
const waitMs = 20;
const attempts = 100;

/**
 * Takes the lock at `path`, or returns its owner. The lock of an ended process is taken over. For an unknown process,
 * such as one on another machine, its heartbeat is observed; no wall clock is involved. Rejects with the file system
 * error or the signal's reason.
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

/** The owner of the lock at `path`, which may be unknown; undefined when free or abandoned. */
export async function lockOwner(path: string): Promise<LockOwner | undefined> {
  const found = await look(path);
  return found.state === 'held' || found.state === 'unsure' ? found.owner : undefined;
}

/** State of a lock when it was read. */
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
  // If a lock cannot be created atomically, its owner is written a moment later.
  if (!owner) return { state: 'unsure', owner: nobody, ...lock };
  const fate = await processStateOf(owner);
  if (fate === 'gone') return { state: 'abandoned', ...lock };
  if (fate === 'lives') return { state: 'held', owner, ...lock };
  const age = Date.now() - lock.mtimeMs;
  return { state: age >= 0 && age < recentMs ? 'held' : 'unsure', owner, ...lock };
}

const nobody: LockOwner = { pid: 0, host: hostname(), since: '' };

/** Through an open file handle, because network file systems may cache attributes. */
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

/** Whether the owner refreshes its lock within a time measured by the monotonic clock. */
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

/** The content of a new lock; undefined when one exists. */
async function create(path: string): Promise<string | undefined> {
  const owner: LockOwner = { ...(await ownMark()), since: new Date().toISOString() };
  const text = JSON.stringify({ ...owner, id: randomBytes(4).toString('hex') });
  try {
    // Created atomically: a lock without content would have to be observed.
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

/** After a takeover the former owner must not release the lock. */
async function removeOwn(path: string, text: string): Promise<void> {
  if ((await read(path))?.text === text) await rm(path, { force: true });
}

/**
 * Removes an abandoned lock. Several processes may try this, and one may already hold a new lock: only the holder of a
 * claim file removes it, after checking again. An abandoned claim is removed in the same way.
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
    // A claim is held for a moment only; an older one is abandoned.
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
