import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from './is-alive.ts';

/** Replaces a text file as a whole: a reader, or a crash at any moment, meets the old text or the new one. */
export async function writeFileAtomic(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await removeAbandoned(path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** What processes have left that were killed while they wrote this file. Never rejects. */
async function removeAbandoned(path: string): Promise<void> {
  const begin = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(begin) && each.endsWith('.tmp'))) {
    const pid = Number(name.slice(begin.length, -'.tmp'.length));
    if (Number.isInteger(pid) && !isAlive(pid))
      await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
  }
}
