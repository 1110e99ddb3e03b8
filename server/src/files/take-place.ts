import { lstat, rename } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/**
 * Moves a file that is whole to the place where it belongs; a file or a link there is replaced. Whoever asks has checked its targets, and yet
 * nothing is worth a device: what is neither file, link nor folder stays. Rejects with `not-a-file`, else with the error of the file system.
 */
export async function takePlace(from: string, to: string): Promise<void> {
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

/** What is there that is neither a file nor a folder. */
export function kindOf(there: Kind): string {
  if (there.isFIFO()) return 'a pipe';
  return there.isSocket() ? 'a socket' : 'a device';
}
