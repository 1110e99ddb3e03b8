import { lstat, rename } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/**
 * Renames a complete file to its final path, replacing a file or a link. Devices and other special files are never
 * replaced, even if the caller did not check. Rejects with `not-a-file`, else with the file system error.
 */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  const there = await lstat(to).catch(() => undefined);
  if (there && !there.isFile() && !there.isSymbolicLink() && !there.isDirectory()) throw notAFile(to, kindOf(there));
  await rename(from, to);
}

export function notAFile(path: string, kind: string): FileError {
  return new FileError('not-a-file', `${path} is ${kind}, not a file.`, {
    file: path,
    remedy: 'Name a file; it is written whole, then takes its place.',
  });
}

interface Kind {
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** The kind of an existing path that is neither a file nor a folder. */
export function kindOf(there: Kind): string {
  if (there.isFIFO()) return 'a pipe';
  return there.isSocket() ? 'a socket' : 'a device';
}
