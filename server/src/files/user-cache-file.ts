import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Bytes of the digest that precedes the content of a file. */
const digestBytes = 32;
/** Files that nobody replaced for so long, such as those of programs that are no longer installed, are deleted. */
const maxAgeMs = 30 * 24 * 60 * 60 * 1000;

/** A file in the user's cache folder, with the inputs of its content. */
export interface UserCacheFile {
  readonly folder: string;
  /** With the ending `.code` or `.facts`. */
  readonly name: string;
  /** Identifies what the content was made from. */
  readonly source: string;
}

/**
 * Reads a cached content. Undefined when it is missing, damaged or made from another source, or when others than the
 * user can write to its folder.
 */
export function readUserCache(file: UserCacheFile): Buffer | undefined {
  try {
    if (!isOwn(file.folder)) return undefined;
    const bytes = readFileSync(pathOf(file));
    const content = bytes.subarray(digestBytes);
    return digestOf(file, content).equals(bytes.subarray(0, digestBytes)) ? content : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Replaces a cached content atomically, and deletes old files beside it. Never throws: without the file, the next start
 * takes longer. Synchronous, because it may run while a process exits.
 */
export function writeUserCache(file: UserCacheFile, content: Uint8Array): void {
  const { folder, name } = file;
  const draft = join(folder, `${name}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    makeOwnFolder(folder);
    if (!isOwn(folder)) return;
    writeFileSync(draft, Buffer.concat([digestOf(file, content), content]), { flag: 'wx', mode: 0o600 });
    renameSync(draft, pathOf(file));
    removeOld(folder);
  } catch {
    remove(draft);
  }
}

function pathOf({ folder, name }: UserCacheFile): string {
  return join(folder, name);
}

/** Whether only the user of this process can write to a folder. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  // On Windows, access control lists protect the profile of a user.
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

/** One folder after another: Node's recursive `mkdirSync` never ends where nothing can be made, such as below /proc. */
function makeOwnFolder(path: string): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeOwnFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(path)) throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.(?:code|facts|tmp)$/.test(name)) continue;
    const path = join(folder, name);
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed !== undefined && Date.now() - changed > maxAgeMs) remove(path);
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder or the file belongs to someone else.
  }
}

function digestOf({ source }: UserCacheFile, content: Uint8Array): Buffer {
  return createHash('sha256').update(source).update(content).digest();
}
