import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { entityFilePattern } from '../state/entity-id.ts';

/** Folders in which nobody keeps entity graphs. */
const skippedFolders = new Set(['node_modules', '.git', '.entity-graph']);

/** The files of entity graphs in a folder and below it, by path. Rejects with the error of the file system. */
export async function listEntityFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && entityFilePattern.test(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory() && !skippedFolders.has(entry.name));
  const below = await Promise.all(folders.map((entry) => listEntityFiles(join(folder, entry.name)).catch(() => [])));
  return [...files.map((entry) => join(folder, entry.name)), ...below.flat()].sort();
}
