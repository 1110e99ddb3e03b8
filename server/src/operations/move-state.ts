import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ProjectSurroundings } from '../project/open-project.ts';
import { entityFilePattern } from '../state/entity-id.ts';
import { acquireLock } from '../state/import-lock.ts';
import { statePaths } from '../state/state-folder.ts';
import { placeOfFile } from './entity-files.ts';

/**
 * Gives the state, graphs and positions of one entity graph to another identity, in one state folder, in the place of what a file that was there
 * before has left. Nothing happens while it is being imported. Whether it was moved.
 */
export async function moveState(stateFolder: string, from: string, to: string): Promise<boolean> {
  const lock = await acquireLock(statePaths.lock(stateFolder, from));
  if (lock.kind === 'busy') return false;
  try {
    // What belonged to a file that was there before belongs to nothing any more.
    for (const path of [statePaths.status, statePaths.graphs]) {
      await rm(path(stateFolder, to), { recursive: true, force: true });
    }
    // The status goes last: after a crash in between, the next attempt finds it where it was.
    for (const path of [statePaths.layout, statePaths.graphs, statePaths.status]) {
      await moveFile(path(stateFolder, from), path(stateFolder, to));
    }
    return true;
  } finally {
    await lock.release();
    await rm(statePaths.lock(stateFolder, from), { force: true });
  }
}

/** What is not there need not be moved. */
async function moveFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** A file was renamed in the editor: its state goes with it, also when it was modified since its import. Never rejects. */
export async function followRename(from: string, to: string, surroundings: ProjectSurroundings): Promise<void> {
  if (!entityFilePattern.test(from) || !entityFilePattern.test(to)) return;
  const [before, after] = await Promise.all([placeOfFile(from, surroundings), placeOfFile(to, surroundings)]);
  // Graphs stay beside the data sources that they were made from.
  if (!before || before.stateFolder !== after?.stateFolder) return;
  await moveState(before.stateFolder, before.entity, after.entity).catch(() => false);
}
