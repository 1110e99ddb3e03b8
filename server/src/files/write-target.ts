import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError, fileErrorOf } from './file-error.ts';
import { followLinks } from './follow-links.ts';
import { hasEnded, ownTag, tagPattern } from './name-tag.ts';
import { kindOf, notAFile } from './move-into-place.ts';
import { draftOf, removeAbandonedDrafts } from './write-atomic.ts';

/** Whether and where a file can be written, checked beforehand. */
interface FileTarget {
  /** The path written to: a link named by the user is followed, not replaced. */
  readonly real: string;
  readonly exists: boolean;
}

interface FileTargetRules {
  /** The folder that links must not leave, for names that do not come from the user. */
  readonly within?: string;
  /** An example name for the remedy. */
  readonly example?: string;
}

/**
 * Checks beforehand whether a file can be written atomically at `path`; missing parent folders are allowed. Leaves no
 * trace. Rejects with a `FileError`.
 */
export async function checkFileTarget(path: string, { within, example }: FileTargetRules = {}): Promise<FileTarget> {
  return inWords(path, async () => {
    if (isDeviceName(path, process.platform)) throw notAFile(path, 'a device');
    const real = await followLinks(path, within);
    const there = await lookAt(real);
    if (there?.isDirectory()) {
      const advice = example === undefined ? 'Name a file.' : `Name a file, such as ${join(path, example)}.`;
      throw new FileError('is-folder', `${path} is a folder.`, { file: path, remedy: advice });
    }
    if (there && !there.isFile()) throw notAFile(path, kindOf(there));
    // Replacing needs write permission on the folder only, but read-only files are kept.
    if (there) await access(real, constants.W_OK);
    await tryFolder(await nearestFolder(dirname(real)), real);
    return { real, exists: there !== undefined };
  });
}

/** Checks the path of a new file. Rejects with `file-exists` when it exists. */
export async function checkNewFile(path: string): Promise<void> {
  const { exists } = await checkFileTarget(path);
  if (exists) throw fileExists(path);
}

export function fileExists(path: string): FileError {
  return new FileError('file-exists', `${path} exists already.`, {
    file: path,
    remedy: 'Choose another name, or delete it first.',
  });
}

/** Checks the path of an output folder. An existing folder must allow creating files. */
export async function checkFolderTarget(path: string): Promise<void> {
  await inWords(path, async () => {
    if (isDeviceName(path, process.platform)) throw notAFile(path, 'a device');
    const there = await lookAt(path);
    if (there && !there.isDirectory()) {
      const what = there.isFile() ? 'a file' : kindOf(there);
      throw new FileError('file-in-the-way', `${path} is ${what}, and a folder is to be written.`, {
        file: path,
        remedy: 'Name a folder; it is created if missing.',
      });
    }
    await tryFolder(there ? path : await nearestFolder(dirname(path)), join(path, 'file'));
  });
}

/** Reserved device names of Windows, with any extension. */
function isDeviceName(path: string, platform: NodeJS.Platform): boolean {
  return platform === 'win32' && /^(?:con|prn|aux|nul|com[1-9¹²³]|lpt[1-9¹²³])(?:\.|$)/i.test(basename(path).trimEnd());
}

type Stats = Awaited<ReturnType<typeof stat>>;

/** Undefined for a missing path. Rejects with other file system errors. */
async function lookAt(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}

/** The folder, or its nearest existing parent. */
async function nearestFolder(folder: string): Promise<string> {
  const there = await lookAt(folder);
  if (there?.isDirectory() || (!there && dirname(folder) === folder)) return folder;
  if (!there) return nearestFolder(dirname(folder));
  throw new FileError('file-in-the-way', `${folder} is not a folder, so nothing can be written below it.`, {
    file: folder,
    remedy: 'Move it away, or choose another place.',
  });
}

/** Creates and deletes a probe in a folder, because permissions, disks and file systems all matter. */
async function tryFolder(folder: string, target: string): Promise<void> {
  if (await isFull(folder)) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC', syscall: 'statfs' });
  if (folder !== dirname(target)) return tryMakingFolder(folder);
  const draft = await draftOf(target);
  await (await open(draft, 'wx')).close();
  await rm(draft);
  await removeAbandonedDrafts(target);
}

async function tryMakingFolder(folder: string): Promise<void> {
  const probe = join(folder, `${probePrefix}${await ownTag()}-${randomBytes(3).toString('hex')}`);
  await mkdir(probe);
  await rmdir(probe);
  for (const name of await readdir(folder).catch(() => [])) {
    const tag = probeRest.exec(name)?.[1];
    if (tag !== undefined && (await hasEnded(tag))) await rmdir(join(folder, name)).catch(() => undefined);
  }
}

const probePrefix = '.entity-graph-probe-';
const probeRest = new RegExp(String.raw`^\.entity-graph-probe-(${tagPattern})-[0-9a-f]+$`);

/** Some file systems report no block or file limits. */
async function isFull(folder: string): Promise<boolean> {
  const disk = await statfs(folder).catch(() => undefined);
  if (!disk) return false;
  const free = process.getuid?.() === 0 ? disk.bfree : disk.bavail;
  return (disk.blocks > 0 && free === 0) || (disk.files > 0 && disk.ffree === 0);
}

/** The probe has a temporary name; messages name the target. */
async function inWords<T>(path: string, check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw fileErrorOf(error, path) ?? error;
  }
}
