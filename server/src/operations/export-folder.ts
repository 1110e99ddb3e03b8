import { chmod, lstat, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../files/is-alive.ts';
import { manifestName, readManifest, writeManifest } from './export-manifest.ts';

const prefix = '.entity-graph-export-';

/** Where a folder waits that another is about to replace, and where it is looked for when that was killed. */
const previousFolder = 'previous';

/** A folder beside the output, in which an export is written before it takes its place. */
export interface ExportFolder {
  /** For the files of the export. */
  readonly path: string;
  /** For what is needed while they are written. */
  readonly temporary: string;
  /** Moves a single file to `output`. */
  publishFile(name: string, output: string): Promise<void>;
  /**
   * Makes these files the export in the folder `output`, which is made when it does not exist; returns their paths. Files of
   * an earlier export that this one does not have are removed, those of others stay.
   */
  publishInto(names: readonly string[], output: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Makes the folder, and removes those of exports that were killed. Rejects with the error of the file system. */
export async function createExportFolder(output: string): Promise<ExportFolder> {
  const parent = dirname(output);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const temporary = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  const path = join(temporary, 'files');
  await mkdir(path);
  return {
    path,
    temporary,
    publishFile: (name, target) => rename(join(path, name), target),
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
 * Puts a folder in the place of another as a whole. Resolves with false, and nothing done, when that holds anything but the
 * files of an export, is a link, or cannot be moved: Windows does not while a file in it is open.
 */
async function replaceFolder(from: string, target: string, previous: string): Promise<boolean> {
  const old = await lstat(target).catch(() => undefined);
  if (!old) {
    await rename(from, target);
    return true;
  }
  if (!old.isDirectory()) return false;
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

/** One file after the other; the manifest says so meanwhile, and which files are ours should this be killed. */
async function replaceFiles(from: string, names: readonly string[], target: string): Promise<void> {
  await mkdir(target, { recursive: true });
  const earlier = (await readManifest(target))?.files ?? [];
  await writeManifest(target, { files: [...new Set([...earlier, ...names])], unfinished: true });
  for (const name of names) await rename(join(from, name), join(target, name));
  const stale = earlier.filter((name) => !names.includes(name));
  await Promise.all(stale.map((name) => rm(join(target, name), { force: true })));
  await rename(join(from, manifestName), join(target, manifestName));
}

/** Removes the folders of exports in `parent` whose process is gone: nobody will finish them. */
export async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const abandoned = names.filter((name) => {
    const pid = new RegExp(`^${prefix.replaceAll('.', '\\.')}(\\d+)-`).exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await Promise.all(
    abandoned.map(async (name) => {
      await bringBack(join(parent, name, previousFolder), parent);
      await rm(join(parent, name), { recursive: true, force: true });
    }),
  );
}

/** A folder that was moved away, and whose successor has not come. */
async function bringBack(previous: string, parent: string): Promise<void> {
  for (const name of await readdir(previous).catch(() => [])) {
    const isThere = await lstat(join(parent, name)).catch(() => undefined);
    if (!isThere) await rename(join(previous, name), join(parent, name));
  }
}
