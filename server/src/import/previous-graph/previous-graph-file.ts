import { constants } from 'node:fs';
import { copyFile, stat } from 'node:fs/promises';

/** The published store of the previous import. */
export interface PreviousGraph {
  readonly path: string;
  /** Id of its import. */
  readonly run: string;
  /** See `storeState`, after it was published. */
  readonly state: string;
}

/** Equal only of a file with equal content at the same place; undefined if that cannot be told, or it is missing. */
export async function storeState(path: string): Promise<string | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    // A file system that knows whole seconds hides a second change within one.
    if (mtimeNs % 1_000_000_000n === 0n) return undefined;
    return [size, mtimeNs, ctimeNs, ino].join(' ');
  } catch {
    return undefined;
  }
}

/** Whether the store is as the import left it, and nobody has it open for writing. */
export async function isAsPublished({ path, state }: PreviousGraph): Promise<boolean> {
  const hasLog = await stat(`${path}.wal`).then(
    () => true,
    () => false,
  );
  return !hasLog && (await storeState(path)) === state;
}

/** Copies the store; where the file system can, both share their blocks. Rejects with the file system error. */
export async function copyStore({ path }: PreviousGraph, to: string): Promise<void> {
  await copyFile(path, to, constants.COPYFILE_FICLONE);
}
