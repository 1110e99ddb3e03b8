import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../files/make-folder.ts';
import { insideStateFolder } from './inside-state-folder.ts';
import { statePaths } from './state-folder.ts';

/**
 * The files of an entity graph in its folder: stores, row cache, builds. Other folders there belong to entity graphs
 * with longer paths, such as `incident/detail` below `incident`. Absolute paths. Rejects with `link-leads-out`.
 */
export async function graphFiles(stateFolder: string, entity: string): Promise<readonly string[]> {
  const folder = await insideStateFolder(stateFolder, statePaths.graphs(stateFolder, entity));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => (entry.isDirectory() ? entry.name.startsWith('.') : true))
    .map((entry) => join(folder, entry.name));
}

/** Deletes the graph files of an entity graph, and the folder when it is empty. Rejects with the file system error. */
export async function removeGraphFiles(stateFolder: string, entity: string): Promise<void> {
  for (const path of await graphFiles(stateFolder, entity)) await rm(path, { recursive: true, force: true });
  await removeEmptyFolders(stateFolder, entity);
}

/** Moves the graph files of an entity graph to another one. Rejects with the file system error; a retry moves the rest. */
export async function moveGraphFiles(stateFolder: string, from: string, to: string): Promise<void> {
  const [source, target] = [statePaths.graphs(stateFolder, from), statePaths.graphs(stateFolder, to)];
  const paths = await graphFiles(stateFolder, from);
  if (paths.length === 0) return;
  await makeFolder(await insideStateFolder(stateFolder, target));
  for (const path of paths) await rename(path, join(target, path.slice(source.length + 1)));
  await removeEmptyFolders(stateFolder, from);
}

/** Deletes the folder of an entity graph and its empty parents. */
async function removeEmptyFolders(stateFolder: string, entity: string): Promise<void> {
  const parts = entity.split('/');
  try {
    for (let depth = parts.length; depth > 0; depth -= 1) {
      await rmdir(statePaths.graphs(stateFolder, parts.slice(0, depth).join('/')));
    }
  } catch {
    // It is not empty or does not exist.
  }
}
