import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing. Rejects with the error of the file system. Node's own recursive `mkdir` says
 * ENOENT for a full disk (https://github.com/nodejs/node/issues/42808), and never ends where nothing can be made, such as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = [];
  for (let folder = path; !(await isThere(folder)); folder = dirname(folder)) missing.push(folder);
  for (const folder of missing.reverse()) await makeOne(folder);
}

/** Whether there is anything, a file included: `mkdir` below it says what is wrong then. */
async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return dirname(path) === path;
    throw error;
  }
}

/** Somebody else may make it at the same time. */
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
