import { readdir, readlink } from 'node:fs/promises';

/** Files below a folder that this process has open, as far as its system tells, with those that were removed since. */
export async function openFilesBelow(folder: string): Promise<readonly string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(numbers.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}
