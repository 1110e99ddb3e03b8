import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isAlive } from './is-alive.ts';

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

/**
 * Takes the lock at `path`, or says who has it. A lock whose process has ended, or which nobody has touched for a minute
 * (another machine's, a process number given anew), is taken over. Rejects with the error of the file system.
 */
export async function acquireLock(path: string): Promise<LockAttempt> {
  await mkdir(dirname(path), { recursive: true });
  for (let attempt = 0; ; attempt += 1) {
    if (await create(path)) return { kind: 'locked', release: keepAlive(path) };
    const owner = await lockOwner(path);
    if (owner) return { kind: 'busy', owner };
    await discard(path);
    if (attempt > 10) throw new Error(`The lock ${path} cannot be taken.`);
  }
}

/** The living owner of the lock at `path`; undefined when it is free or abandoned. */
export async function lockOwner(path: string): Promise<LockOwner | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const recent = Date.now() - mtimeMs < abandonedAfterMs;
    if (!recent) return undefined;
    const owner = readOwner(text);
    // A lock that is just being written has no text yet.
    if (!owner) return { pid: 0, host: hostname(), since: new Date(mtimeMs).toISOString() };
    return owner.host === hostname() && !isAlive(owner.pid) ? undefined : owner;
  } catch {
    return undefined;
  }
}

async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    const owner: LockOwner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    try {
      await file.writeFile(JSON.stringify(owner));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function keepAlive(path: string): () => Promise<void> {
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await rm(path, { force: true });
  };
}

/** By renaming, which only one of several processes can do. */
async function discard(path: string): Promise<void> {
  const aside = `${path}.${process.pid}.abandoned`;
  await rename(path, aside).catch(() => undefined);
  await rm(aside, { force: true });
}

function readOwner(text: string): LockOwner | undefined {
  try {
    const owner = JSON.parse(text) as LockOwner;
    return typeof owner.pid === 'number' ? owner : undefined;
  } catch {
    return undefined;
  }
}
