import { access, rm } from 'node:fs/promises';
import { ImportError } from '../import/import-error.ts';
import type { ProjectSurroundings } from '../project/open-project.ts';
import { acquireLock } from '../state/import-lock.ts';
import { statePaths } from '../state/state-folder.ts';
import { placeOfFile } from './entity-files.ts';
import type { FileOutcome } from './lifecycle-result.ts';

/** What deleting an entity graph removes: the file, its state and its graphs, as far as they exist. */
export async function deletedPaths(path: string, surroundings: ProjectSurroundings): Promise<readonly string[]> {
  const place = await placeOfFile(path, surroundings);
  const own = place
    ? [statePaths.status, statePaths.graphs, statePaths.layout].map((path) => path(place.stateFolder, place.entity))
    : [];
  const existing = await Promise.all([path, ...own].map(async (each) => ((await exists(each)) ? [each] : [])));
  return existing.flat();
}

/** Removes them, the file last, so that what is left after a failure still belongs to something. */
export async function deleteGraph(path: string, surroundings: ProjectSurroundings): Promise<readonly FileOutcome[]> {
  const place = await placeOfFile(path, surroundings);
  const paths = await deletedPaths(path, surroundings);
  const lock = place && (await acquireLock(statePaths.lock(place.stateFolder, place.entity)));
  if (lock?.kind === 'busy') {
    throw new ImportError('import-running', `${path} is being imported, by process ${lock.owner.pid}.`, {
      remedy: 'Wait until it has finished, or cancel it.',
    });
  }
  try {
    for (const each of paths.toReversed()) await rm(each, { recursive: true, force: true });
  } finally {
    if (lock?.kind === 'locked') await lock.release();
  }
  return paths.map((file) => ({ file, action: 'deleted' }));
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
