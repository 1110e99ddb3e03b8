import { readdir, readlink } from 'node:fs/promises';

/** Open files of this process below a folder, including deleted ones, as far as the system reports them. */
export async function openFilesBelow(folder: string): Promise<readonly string[]> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const paths = await Promise.all(numbers.map((each) => readlink(`/proc/self/fd/${each}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder));
}
