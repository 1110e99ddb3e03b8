import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userCacheFolder } from './user-cache-folder.ts';

const length = 32;

/**
 * A random key in the user's cache folder, created on first use and readable by that user only. Hashes with it can be
 * stored in a project: without the key, nobody can verify a guess of the hashed value. If the file cannot be stored,
 * each call returns another key. Never throws.
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
