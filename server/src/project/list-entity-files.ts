import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { entityFilePattern } from '../state/entity-id.ts';
import { sourcesFileNames } from './find-sources.ts';

/** Folders that are never searched. */
const skippedFolders = new Set(['node_modules', '.git', '.entity-graph']);

/** The entity graphs in and below a folder, by path. Rejects with the file system error. */
export function listEntityFiles(folder: string): Promise<readonly string[]> {
  return listFiles(folder, isEntityFile);
}

/** Whether a file name or path is that of an entity graph. */
export function isEntityFile(name: string): boolean {
  return entityFilePattern.test(name);
}

/** The files of tests in and below a folder, by path. Rejects with the file system error. */
export function listTestFiles(folder: string): Promise<readonly string[]> {
  return listFiles(folder, isTestFile);
}

/** Whether a file name or path is that of tests of an entity graph. Such a file is not an entity graph. */
export function isTestFile(name: string): boolean {
  return /\.entity\.test\.ya?ml$/i.test(name);
}

/** The data sources files in and below a folder, by path. Rejects with the file system error. */
export function listSourcesFiles(folder: string): Promise<readonly string[]> {
  return listFiles(folder, isSourcesFile);
}

/** Whether a file name is that of data sources. */
export function isSourcesFile(name: string): boolean {
  return (sourcesFileNames as readonly string[]).includes(name);
}

/** Whether no part of a path is a folder that is never searched. @param path relative, with either separator */
export function isSearched(path: string): boolean {
  return !path.split(/[\\/]/).some((part) => skippedFolders.has(part));
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
