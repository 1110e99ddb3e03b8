import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/** Bytes. */
const shortFile = 64 * 1024;

/**
 * Reads a text file. Devices and pipes are refused, because reading them may never end, and a workspace may contain
 * links to them. Files handed over by a shell, such as /dev/stdin, are read. Rejects with `not-a-file`, else with the
 * file system error.
 */
export async function readText(path: string): Promise<string> {
  // Opens without waiting for a writer of a pipe.
  const file = await open(path, constants.O_RDONLY | (isHandedOver(path) ? 0 : constants.O_NONBLOCK));
  try {
    const stats = await file.stat();
    if (stats.isFile() && stats.size > 0 && stats.size <= shortFile) return await readShort(file, stats.size);
    if (stats.isFile() || stats.isDirectory() || isHandedOver(path)) return await file.readFile('utf8');
  } finally {
    await file.close();
  }
  throw new FileError('not-a-file', `${path} is a device or a pipe, not a file.`, {
    file: path,
    remedy: 'Name a file.',
  });
}

/** With one call, while `readFile` asks for the size again and reads in several: lists read hundreds of files. */
async function readShort(file: FileHandle, size: number): Promise<string> {
  // One byte more tells whether the file has grown.
  const buffer = Buffer.allocUnsafe(size + 1);
  const { bytesRead } = await file.read(buffer, 0, size + 1, 0);
  return bytesRead === size ? buffer.toString('utf8', 0, size) : await file.readFile('utf8');
}

function isHandedOver(path: string): boolean {
  return /^\/dev\/(?:stdin$|fd\/\d+$)|^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(path);
}
