import { readdir, rm } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { builderOf } from '../../import/build-folder.ts';
import { isExportNote, removeKilledExports } from '../stored-graphs/export-notes.ts';
import { listSourcesFiles } from '../../project/list-entity-files.ts';
import { stateFolderOf } from '../../project/open-project.ts';
import { importerOf } from '../../state/entity-lock.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { hasEnded } from '../../files/name-tag.ts';
import { drafterOf } from '../../files/write-atomic.ts';
import { statePaths } from '../../state/state-folder.ts';

/**
 * Deletes temporary files of killed imports, writes and exports of the graphs below some folders. Files of running
 * processes, on any machine, are kept. Unreadable folders are skipped.
 */
export async function sweepLeftovers(folders: readonly string[]): Promise<void> {
  const found = await Promise.all(folders.map((folder) => listSourcesFiles(folder).catch(() => [])));
  for (const stateFolder of new Set(found.flat().map(stateFolderOf))) await sweep(stateFolder);
}

async function sweep(stateFolder: string): Promise<void> {
  await sweepDrafts(stateFolder);
  await sweepGraphs(stateFolder);
}

/** A file's next write cleans up after itself, but a copied or deleted graph may never be written again. */
async function sweepDrafts(stateFolder: string): Promise<void> {
  const folder = await insideStateFolder(stateFolder, stateFolder).catch(() => undefined);
  if (folder === undefined) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const drafter = entry.isFile() ? drafterOf(entry.name) : undefined;
    if (drafter === undefined || !(await hasEnded(drafter))) continue;
    await rm(join(entry.parentPath, entry.name), { force: true }).catch(() => undefined);
  }
}

async function sweepGraphs(stateFolder: string): Promise<void> {
  const graphs = await insideStateFolder(stateFolder, statePaths.graphs(stateFolder, '')).catch(() => undefined);
  if (graphs === undefined) return;
  const entries = await readdir(graphs, { recursive: true, withFileTypes: true }).catch(() => []);
  const exported = entries.filter((entry) => entry.isFile() && isExportNote(entry.name));
  for (const folder of new Set(exported.map(({ parentPath }) => parentPath))) await removeKilledExports(folder);
  for (const entry of entries) {
    const builder = entry.isDirectory() ? builderOf(entry.name) : undefined;
    if (builder === undefined || !(await hasEnded(builder))) continue;
    const entity = relative(graphs, entry.parentPath).split(sep).join('/');
    // The process may run on another machine that shares the folder.
    if (await importerOf(stateFolder, entity)) continue;
    await rm(join(entry.parentPath, entry.name), { recursive: true, force: true }).catch(() => undefined);
  }
}
