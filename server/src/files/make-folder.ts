import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Rejects with the file system error. Node's recursive `mkdir` reports ENOENT
 * for a full disk (https://github.com/nodejs/node/issues/42808), and loops in unwritable file systems such as /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = path; !(await isThere(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) await makeOne(folder);
}

/** Whether the path exists, even as a file: `mkdir` below it then reports the reason. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return dirname(path) === path;
    throw error;
  }
}

/** Another process may create it at the same time. */
async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const there = hasCode(error, 'EEXIST') ? await stat(folder).catch(() => undefined) : undefined;
    if (!there?.isDirectory()) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
