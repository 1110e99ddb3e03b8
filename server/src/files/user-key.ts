import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userCacheFolder } from './user-cache-folder.ts';

const length = 32;

/**
 * A random key in the user's cache folder, which is made when it is first needed and only that user can read. Hashes
 * with it can be kept in a project: without it, nobody can tell whether a guess is what was hashed. Where no such file
 * can be kept, each call returns another key. Never throws.
 */
export function userKey(environment: Readonly<Record<string, string | undefined>> = process.env): Buffer {
  const made = randomBytes(length);
  const caches = userCacheFolder(environment);
  if (caches === undefined) return made;
  const folder = join(caches, 'entity-graph');
  const path = join(folder, 'hash-key');
  try {
    for (const missing of [caches, folder].filter((each) => !existsSync(each))) mkdirSync(missing, { mode: 0o700 });
    writeFileSync(path, made, { flag: 'wx', mode: 0o600 });
    return made;
  } catch {
    const kept = read(path);
    return kept?.length === length ? kept : made;
  }
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
