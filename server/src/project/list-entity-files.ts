import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { entityFilePattern } from '../state/entity-id.ts';
import { sourcesFileNames } from './find-sources.ts';

/** Folders in which nobody keeps entity graphs. */
const skippedFolders = new Set(['node_modules', '.git', '.entity-graph']);

/** The files of entity graphs in a folder and below it, by path. Rejects with the error of the file system. */
export function listEntityFiles(folder: string): Promise<readonly string[]> {
  return listFiles(folder, isEntityFile);
}

/** Whether a file is an entity graph, by its name or path. */
export function isEntityFile(name: string): boolean {
  return entityFilePattern.test(name);
}

/** The files of data sources in a folder and below it, by path. Rejects with the error of the file system. */
export function listSourcesFiles(folder: string): Promise<readonly string[]> {
  return listFiles(folder, (name) => (sourcesFileNames as readonly string[]).includes(name));
}

async function listFiles(folder: string, isWanted: (name: string) => boolean): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory() && isWanted(entry.name));
  const folders = entries.filter((entry) => entry.isDirectory() && !skippedFolders.has(entry.name));
  const below = await Promise.all(
    folders.map((entry) => listFiles(join(folder, entry.name), isWanted).catch(() => [])),
  );
  return [...files.map((entry) => join(folder, entry.name)), ...below.flat()].sort();
}
