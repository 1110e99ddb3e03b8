import { type LockAttempt, type LockOptions, type LockOwner, acquireLock, lockOwner } from './import-lock.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';

/** Takes the lock of an entity graph, or returns its owner. Rejects like `acquireLock`, and with `link-leads-out`. */
export async function lockEntity(stateFolder: string, entity: string, options?: LockOptions): Promise<LockAttempt> {
  return acquireLock(await insideStateFolder(stateFolder, statePaths.lock(stateFolder, entity)), options);
}

/** The process that imports an entity graph, as far as known without waiting; undefined when none. */
export async function importerOf(stateFolder: string, entity: string): Promise<LockOwner | undefined> {
  const path = await insideStateFolder(stateFolder, statePaths.lock(stateFolder, entity)).catch(() => undefined);
  return path === undefined ? undefined : lockOwner(path);
}
