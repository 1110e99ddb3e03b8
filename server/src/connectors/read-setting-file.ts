import { readFile, stat } from 'node:fs/promises';

/** Bytes; collections of certificates have some hundred thousand. */
const largest = 16 * 1024 * 1024;

/** Reads a certificate or key that settings name. Rejects for what is no file, such as a device without an end, and for what is too large. */
export async function readSettingFile(path: string): Promise<Buffer> {
  const state = await stat(path);
  if (!state.isFile()) throw new Error('it is no file');
  if (state.size > largest) throw new Error(`it has more than ${largest / 1024 / 1024} MiB`);
  return readFile(path);
}
