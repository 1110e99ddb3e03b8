import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../files/process-start.ts';

/** Who is importing an entity graph. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

export type LockAttempt =
  { readonly kind: 'locked'; release(): Promise<void> } | { readonly kind: 'busy'; readonly owner: LockOwner };

/** The owner touches its lock this often; a lock untouched for much longer belongs to nobody. */
const heartbeatMs = 5_000;
const abandonedAfterMs = 60_000;

/** How long to wait for another process that is removing an abandoned lock, and how often. */
const waitMs = 20;
const attempts = 100;

/**
 * Takes the lock at `path`, or says who has it. A lock whose process has ended, or which nobody has touched for a minute
 * (another machine's, a process number given anew), is taken over. A process of this machine that lives gets the time to touch its lock first:
 * the clock may have been set, or the machine have slept. Rejects with the error of the file system.
 * @param beatMs how often the owner touches the lock.
 */
export async function acquireLock(path: string, beatMs = heartbeatMs): Promise<LockAttempt> {
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const text = await create(path);
    if (text !== undefined) return { kind: 'locked', release: keepAlive(path, text, beatMs) };
    const found = await look(path);
    if (found.state === 'held') return { kind: 'busy', owner: found.owner };
    if (found.state === 'silent' && (await isTouched(path, found.mtimeMs, 2 * beatMs))) continue;
    if (found.state !== 'free') await discard(path, found);
  }
  throw new Error(`The lock ${path} cannot be taken.`);
}

/** The living owner of the lock at `path`; undefined when it is free or abandoned. */
export async function lockOwner(path: string): Promise<LockOwner | undefined> {
  const found = await look(path);
  return found.state === 'held' || found.state === 'silent' ? found.owner : undefined;
}

type FoundLock =
  | { readonly state: 'free' | 'abandoned' }
  | { readonly state: 'held'; readonly owner: LockOwner }
  /** Untouched for long, though its process lives. */
  | { readonly state: 'silent'; readonly owner: LockOwner; readonly mtimeMs: number };

async function look(path: string): Promise<FoundLock> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const isRecent = Date.now() - mtimeMs < abandonedAfterMs;
    const owner = readOwner(text);
    if (!owner) {
      // A lock that is just being written has no text yet.
      const unknown = { pid: 0, host: hostname(), since: new Date(mtimeMs).toISOString() };
      return isRecent ? { state: 'held', owner: unknown } : { state: 'abandoned' };
    }
    const isHere = owner.host === hostname();
    if (isHere && !isAlive(owner.pid)) return { state: 'abandoned' };
    if (isRecent) return { state: 'held', owner };
    return isHere ? { state: 'silent', owner, mtimeMs } : { state: 'abandoned' };
  } catch {
    return { state: 'free' };
  }
}

/** Whether a lock changes, or goes, within some time. */
async function isTouched(path: string, mtimeMs: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += waitMs) {
    await delay(waitMs);
    const now = await stat(path).catch(() => undefined);
    if (now?.mtimeMs !== mtimeMs) return true;
  }
  return false;
}

/** What was written into a new lock; undefined when there is one. */
async function create(path: string): Promise<string | undefined> {
  const owner: LockOwner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
  const text = JSON.stringify(owner);
  try {
    await writeFile(path, text, { flag: 'wx' });
    return text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
}

function keepAlive(path: string, text: string, beatMs: number): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await removeOwn(path, text);
  };
}

/** Whoever was stopped for so long that the lock was taken over has none to release. */
async function removeOwn(path: string, text: string): Promise<void> {
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (found === text) await rm(path, { force: true });
}

/**
 * Removes an abandoned lock. Several processes may have found it so, and by now one of them may have a lock of its own there: only who has the
 * claim removes anything, after another look. A claim that is itself abandoned is removed in the same way.
 */
async function discard(path: string, judged: FoundLock): Promise<void> {
  const claim = `${path}.discard`;
  const text = await create(claim);
  if (text === undefined) {
    const found = await look(claim);
    if (found.state === 'abandoned') await discard(claim, found);
    else if (found.state !== 'free') await delay(waitMs);
    return;
  }
  try {
    const now = await look(path);
    const isSame = now.state === 'silent' && judged.state === 'silent' && now.mtimeMs === judged.mtimeMs;
    if (now.state === 'abandoned' || isSame) await rm(path, { force: true });
  } finally {
    await removeOwn(claim, text);
  }
}

function readOwner(text: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(text) as LockOwner;
    return typeof owner.pid === 'number' ? owner : undefined;
  } catch {
    return undefined;
  }
}
