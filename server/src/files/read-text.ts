import { type Stats, closeSync, constants, fstatSync, open, read } from 'node:fs';
import { open as openHandle } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/** Bytes. */
const shortFile = 64 * 1024;

/** The content of a file, and what the file system knew about it right before it was read. */
export interface TextAndStats {
  readonly text: string;
  readonly stats: Stats;
}

/** Whether the system can refuse to open a link; Windows cannot. */
export const canRefuseLinks = 'O_NOFOLLOW' in constants;

/**
 * Reads a text file. Devices and pipes are refused, because reading them may never end, and a workspace may contain
 * links to them. Files handed over by a shell, such as /dev/stdin, are read. Rejects with `not-a-file`, else with the
 * file system error.
 */
export async function readText(path: string): Promise<string> {
  return (await readTextAndStats(path)).text;
}

/**
 * The same, with what the file system knows about the file.
 * @param options.refusesLink rejects with `ELOOP` when the file itself, not a folder on its path, is a link. Only if
 * `canRefuseLinks`.
 * @param options.maxBytes rejects with `file-too-large` beyond this size.
 */
export async function readTextAndStats(
  path: string,
  { refusesLink = false, maxBytes = Infinity }: { readonly refusesLink?: boolean; readonly maxBytes?: number } = {},
): Promise<TextAndStats> {
  const isFromShell = isHandedOver(path);
  // Opens without waiting for a writer of a pipe.
  const waiting = isFromShell ? 0 : constants.O_NONBLOCK;
  const flags = constants.O_RDONLY | waiting | (refusesLink ? constants.O_NOFOLLOW : 0);
  const short = isFromShell ? undefined : await readShort(path, flags);
  if (short) return short;
  const file = await openHandle(path, flags);
  try {
    const stats = await file.stat();
    if (stats.size > maxBytes) {
      const [size, most] = [stats.size, maxBytes].map((bytes) => `${(bytes / 2 ** 20).toFixed(0)} MB`);
      throw new FileError('file-too-large', `${path} has ${size}; files of this kind are read up to ${most}.`, {
        file: path,
        remedy: 'Split it into several files.',
      });
    }
    if (stats.isFile() || stats.isDirectory() || isFromShell) return { text: await file.readFile('utf8'), stats };
  } finally {
    await file.close();
  }
  throw new FileError('not-a-file', `${path} is a device or a pipe, not a file.`, {
    file: path,
    remedy: 'Name a file.',
  });
}

/**
 * Reads a short file; undefined for others. Lists read hundreds of them, so it makes few calls, and not those of
 * `node:fs/promises`, which take more of the processor. What asks about an open file does not wait.
 */
async function readShort(path: string, flags: number): Promise<TextAndStats | undefined> {
  const file = await new Promise<number>((resolve, reject) =>
    open(path, flags, (error, opened) => (error ? reject(error) : resolve(opened))),
  );
  try {
    const stats = fstatSync(file);
    const { size } = stats;
    if (!stats.isFile() || size === 0 || size > shortFile) return undefined;
    // One byte more tells whether the file has grown.
    const buffer = Buffer.allocUnsafe(size + 1);
    const length = await new Promise<number>((resolve, reject) =>
      read(file, buffer, 0, size + 1, 0, (error, bytes) => (error ? reject(error) : resolve(bytes))),
    );
    return length === size ? { text: buffer.toString('utf8', 0, size), stats } : undefined;
  } finally {
    closeSync(file);
  }
}

function isHandedOver(path: string): boolean {
  return /^\/dev\/(?:stdin$|fd\/\d+$)|^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(path);
}
