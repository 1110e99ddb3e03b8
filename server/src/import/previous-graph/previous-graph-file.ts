import { constants } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';

/** The published store of the previous import. */
export interface PreviousGraph {
  readonly path: string;
  /** Id of its import. */
  readonly run: string;
  /** `storeState` of the file after it was published. */
  readonly state: string;
}

/**
 * A text that is equal only while the file has the same content at the same path. Undefined if the file is missing, or
 * a change could go unnoticed.
 */
export async function storeState(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    // A file system with times in whole seconds hides a second change within the same second.
    if (mtimeNs % 1_000_000_000n === 0n) return undefined;
    return [size, mtimeNs, ctimeNs, ino].join(' ');
  } catch {
    return undefined;
  }
}

/** Whether the store is unchanged since its import, and no process has it open for writing. */
export async function isAsPublished({ path, state }: PreviousGraph): Promise<boolean> {
  const hasLog = await stat(`${path}.wal`).then(
    () => true,
    () => false,
  );
  return !hasLog && (await storeState(path)) === state;
}

/** Copies the store, as a copy-on-write clone where the file system supports it. Rejects with the file system error. */
export async function copyStore({ path }: PreviousGraph, to: string): Promise<void> {
  await copyFile(path, to, constants.COPYFILE_FICLONE);
}
