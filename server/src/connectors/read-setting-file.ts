import { readFile, stat } from 'node:fs/promises';

/** Size limit in bytes; certificate bundles have some hundred thousand. */
const largest = 16 * 1024 * 1024;

/** Reads a certificate or key file. Rejects for anything but a file, and for large files. */
export async function readSettingFile(path: string): Promise<Buffer> {
  const state = await stat(path);
  if (!state.isFile()) throw new Error('it is not a file');
  if (state.size > largest) throw new Error(`it has more than ${largest / 1024 / 1024} MiB`);
  return readFile(path);
}
