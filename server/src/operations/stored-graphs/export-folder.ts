import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, mkdtemp, readdir, rename, rm, stat, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../files/file-error.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { hasEnded, isOfThisMachine, ownTag, tagPattern } from '../../files/name-tag.ts';
import { moveIntoPlace } from '../../files/move-into-place.ts';
import { writeFileAtomic } from '../../files/write-atomic.ts';

const prefix = '.entity-graph-export-';

/** Prefix of replaced folders, which are restored if the export was killed. */
const previousFolder = 'previous';

/** A temporary folder on the disk of the output, for atomic exports. */
interface ExportFolder {
  /** For the files of the export. */
  readonly path: string;
  /** For temporary files. */
  readonly temporary: string;
  /** Moves a single file to `output`. */
  publishFile(name: string, output: string): Promise<void>;
  /**
   * Publishes these files in the folder `output`, creating it if necessary; returns their paths. Files of an earlier
   * export that are not replaced are deleted, other files stay.
   */
  publishInto(names: readonly string[], output: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/**
 * The parent of the temporary folder of an export to `output`: its parent folder, or `output` itself if files cannot be
 * moved from there, because
 * `output` is a mount point or the parent is read-only.
 */
export async function workFolderOf(output: string): Promise<string> {
  const parent = dirname(output);
  const [there, above] = await Promise.all([output, parent].map((path) => stat(path).catch(() => undefined)));
  if (!there?.isDirectory()) return parent;
  const mayWrite = await access(parent, constants.W_OK).then(
    () => true,
    () => false,
  );
  return mayWrite && there.dev === above?.dev ? parent : output;
}

/**
 * Creates a temporary export folder in `parent`, and deletes the folders of killed exports there. Rejects with the file
 * system error.
 */
export async function createExportFolder(parent: string): Promise<ExportFolder> {
  await makeFolder(parent);
  const temporary = await mkdtemp(join(parent, `${prefix}${await ownTag()}-`));
  await removeAbandoned(parent, (await stat(temporary)).mtimeMs);
  const path = join(temporary, 'files');
  await mkdir(path);
  return {
    path,
    temporary,
    publishFile: (name, target) => moveIntoPlace(join(path, name), target),
    async publishInto(names, target) {
      await writeManifest(path, { files: names });
      if (!(await replaceFolder(path, target, join(temporary, previousFolder))))
        await replaceFiles(path, names, target);
      return names.map((name) => join(target, name));
    },
    remove: () => rm(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/**
 * Replaces a folder atomically. Resolves to false without changes when it contains other files, is a link, or cannot be
 * moved, as on Windows with an open file in it.
 */
async function replaceFolder(from: string, target: string, previous: string): Promise<boolean> {
  const old = await lstat(target).catch(() => undefined);
  if (!old) {
    await rename(from, target);
    return true;
  }
  if (!old.isDirectory() || from.startsWith(join(target, prefix))) return false;
  const own = new Set([...((await readManifest(target))?.files ?? []), manifestName]);
  if ((await readdir(target)).some((name) => !own.has(name))) return false;
  const kept = join(previous, basename(target));
  try {
    await chmod(from, old.mode & 0o7777);
    await mkdir(previous);
    await rename(target, kept);
  } catch {
    return false;
  }
  try {
    await rename(from, target);
  } catch (error) {
    await rename(kept, target);
    throw error;
  }
  return true;
}

/** Replaces file by file; meanwhile the manifest says so and lists our files, in case of a kill. */
async function replaceFiles(from: string, names: readonly string[], target: string): Promise<void> {
  await makeFolder(target);
  for (const name of names) await refuseOtherThings(join(target, name));
  const earlier = (await readManifest(target))?.files ?? [];
  await writeManifest(target, { files: [...new Set([...earlier, ...names])], unfinished: true });
  for (const name of names) await moveIntoPlace(join(from, name), join(target, name));
  const stale = earlier.filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(target, name), { force: true })));
  await moveIntoPlace(join(from, manifestName), join(target, manifestName));
}

/** Checked before anything is replaced: folders and devices cannot be replaced by a file. */
async function refuseOtherThings(path: string): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (!there || there.isFile() || there.isSymbolicLink()) return;
  const what = there.isDirectory() ? 'a folder' : 'no file';
  throw new FileError('file-in-the-way', `${path} is ${what}, and a file is to be written there.`, {
    file: path,
    remedy: 'Move it away, or name another folder.',
  });
}

/**
 * Deletes temporary folders of killed exports in `parent`.
 * @param nowMs by the clock of that disk: also deletes long untouched ones of other machines.
 */
export async function removeAbandoned(parent: string, nowMs?: number): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const tag = exportFolderPattern.exec(name)?.[1];
    if (tag === undefined || !(await isAbandoned(join(parent, name), tag, nowMs))) continue;
    await bringBack(join(parent, name, previousFolder), parent);
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

const exportFolderPattern = new RegExp(String.raw`^\.entity-graph-export-(${tagPattern})-`);

const longMs = 24 * 60 * 60 * 1000;

async function isAbandoned(path: string, tag: string, nowMs: number | undefined): Promise<boolean> {
  if (isOfThisMachine(tag) || nowMs === undefined) return hasEnded(tag);
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const touched = ['', ...names].map((name) =>
    stat(join(path, name)).then(
      ({ mtimeMs }) => mtimeMs,
      () => -Infinity,
    ),
  );
  return nowMs - Math.max(...(await Promise.all(touched))) > longMs;
}

/** A folder that was moved away but not replaced. */
async function bringBack(previous: string, parent: string): Promise<void> {
  for (const name of await readdir(previous).catch(() => [])) {
    const isThere = await lstat(join(parent, name)).catch(() => undefined);
    if (!isThere) await rename(join(previous, name), join(parent, name));
  }
}

/** The manifest of an export, which lists its files; other files in the folder belong to others. */
const manifestName = '.entity-graph-export.json';

/** Content of a manifest. */
interface ExportManifest {
  readonly files: readonly string[];
  /** Set while files are replaced one by one: until then they are from two graphs. */
  readonly unfinished?: true;
}

/** The manifest of a folder; undefined without a readable one. */
async function readManifest(folder: string): Promise<ExportManifest | undefined> {
  try {
    const read: unknown = JSON.parse(await readFile(join(folder, manifestName), 'utf8'));
    if (typeof read !== 'object' || read === null || !('files' in read) || !Array.isArray(read.files)) return undefined;
    // Files are deleted by these names, so none may lead out of the folder.
    return { files: read.files.filter((name) => typeof name === 'string' && isPlainName(name)) };
  } catch {
    return undefined;
  }
}

/** Writes it atomically. Rejects with the file system error. */
async function writeManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await writeFileAtomic(join(folder, manifestName), `${JSON.stringify(manifest)}\n`);
}

function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && basename(name) === name && !name.includes('\\');
}
