import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { FileError } from './file-error.ts';

/**
 * The text of a file. A device or a pipe is refused: one may never end, another never begin, and a workspace may have links to them in the
 * place of its files. What a shell hands over as a file, such as /dev/stdin, is read. Rejects with `not-a-file`, else with the error of
 * the file system.
 */
export async function readText(path: string): Promise<string> {
  // Not to wait for somebody who writes into a pipe.
  const file = await open(path, constants.O_RDONLY | (isHandedOver(path) ? 0 : constants.O_NONBLOCK));
  try {
    const stats = await file.stat();
    if (stats.isFile() || stats.isDirectory() || isHandedOver(path)) return await file.readFile('utf8');
  } finally {
    await file.close();
  }
  throw new FileError('not-a-file', `${path} is a device or a pipe, not a file.`, {
    file: path,
    remedy: 'Name a file.',
  });
}

function isHandedOver(path: string): boolean {
  return /^\/dev\/(?:stdin$|fd\/\d+$)|^\/proc\/(?:self|\d+)\/fd\/\d+$/.test(path);
}
