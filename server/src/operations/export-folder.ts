import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isAlive } from '../state/is-alive.ts';

const prefix = '.entity-graph-export-';

/** A folder beside the output, in which an export is written before it takes its place. */
export interface ExportFolder {
  readonly path: string;
  /** Moves a single file to `output`. */
  publishFile(name: string, output: string): Promise<void>;
  /** Moves files into the folder `output`, which is made when it does not exist; returns their paths. */
  publishInto(names: readonly string[], output: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** Makes the folder, and removes those of exports that were killed. Rejects with the error of the file system. */
export async function createExportFolder(output: string): Promise<ExportFolder> {
  const parent = dirname(output);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const path = await mkdtemp(join(parent, `${prefix}${process.pid}-`));
  return {
    path,
    publishFile: (name, target) => rename(join(path, name), target),
    async publishInto(names, target) {
      await mkdir(target, { recursive: true });
      for (const name of names) await rename(join(path, name), join(target, name));
      return names.map((name) => join(target, name));
    },
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Folders whose process is gone: nobody will finish them. */
async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const abandoned = names.filter((name) => {
    const pid = new RegExp(`^${prefix.replaceAll('.', '\\.')}(\\d+)-`).exec(name)?.[1];
    return pid !== undefined && !isAlive(Number(pid));
  });
  await Promise.all(abandoned.map((name) => rm(join(parent, basename(name)), { recursive: true, force: true })));
}
