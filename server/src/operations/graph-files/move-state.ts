import { access, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import { isEntityFile, listEntityFiles } from '../../project/list-entity-files.ts';
import type { ProjectSurroundings } from '../../project/open-project.ts';
import { readTextFile } from '../../project/read-text-file.ts';
import { graphFiles, moveGraphFiles, removeGraphFiles } from '../../state/graph-files.ts';
import { lockEntity } from '../../state/entity-lock.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { placeOfFile } from './entity-files.ts';
import { toFailure } from '../operation-error.ts';

/**
 * Gives the state, graphs and positions of one entity graph to another identity, in one state folder, in the place of what a file that was there
 * before has left. Nothing happens while it is being imported, or when nothing is there (any more) to be moved.
 */
export async function moveState(stateFolder: string, from: string, to: string): Promise<'moved' | 'nothing' | 'busy'> {
  // Lists of graphs do not wait for a sign of life of another machine: the next one looks again.
  const lock = await lockEntity(stateFolder, from, { mayNotWait: true });
  if (lock.kind === 'busy') return 'busy';
  try {
    // Whoever came first has moved it already: what is there now is not of a file from before.
    const present = await Promise.all(
      [statePaths.status, statePaths.layout].map((path) => exists(path(stateFolder, from))),
    );
    const hasGraphs = (await graphFiles(stateFolder, from)).length > 0;
    if (!present.includes(true) && !hasGraphs) return 'nothing';
    // Without a status, what is there has come by an attempt that was interrupted.
    if (await exists(statePaths.status(stateFolder, to))) await forgetState(stateFolder, to);
    await moveFile(stateFolder, statePaths.layout, from, to);
    await moveGraphFiles(stateFolder, from, to);
    // The status goes last: after a crash in between, the next attempt finds it where it was.
    await moveFile(stateFolder, statePaths.status, from, to);
    return 'moved';
  } finally {
    await lock.release();
  }
}

/** What belonged to a file that was there before belongs to nothing any more. */
async function forgetState(stateFolder: string, entity: string): Promise<void> {
  await removeGraphFiles(stateFolder, entity);
  await rm(await insideStateFolder(stateFolder, statePaths.status(stateFolder, entity)), { force: true });
}

/** The same for a file that has just been made: it has nothing in common with one that was there before. Never rejects. */
export async function forgetStateOf(path: string, surroundings: ProjectSurroundings): Promise<void> {
  const place = await placeOfFile(path, surroundings).catch(() => undefined);
  if (place) await forgetState(place.stateFolder, place.entity).catch(() => undefined);
}

/** What is not there need not be moved. */
async function moveFile(
  stateFolder: string,
  pathOf: (stateFolder: string, entity: string) => string,
  from: string,
  to: string,
): Promise<void> {
  const [source, target] = await Promise.all(
    [from, to].map((entity) => insideStateFolder(stateFolder, pathOf(stateFolder, entity))),
  );
  if (source === undefined || target === undefined) return;
  await makeFolder(dirname(target));
  try {
    await rename(source, target);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** A graph whose state could not go with it. */
export interface LeftBehind {
  readonly file: string;
  readonly failure: Failure;
}

/**
 * A file, or a folder with the graphs in it, was renamed in the editor: state goes with it, also when a graph was modified since its import. Never
 * rejects; resolves to what could not be moved.
 */
export async function followRename(
  from: string,
  to: string,
  surroundings: ProjectSurroundings,
): Promise<readonly LeftBehind[]> {
  // A file of another kind has none below it.
  const files = isEntityFile(to) ? [to] : await listEntityFiles(to).catch(() => []);
  const left: LeftBehind[] = [];
  for (const file of files) {
    await followFile(join(from, relative(to, file)), file, surroundings).catch((error: unknown) => {
      left.push({ file, failure: toFailure(error) });
    });
  }
  return left;
}

async function followFile(from: string, to: string, surroundings: ProjectSurroundings): Promise<void> {
  if (!isEntityFile(from)) return;
  const [before, after] = await Promise.all([placeOfFile(from, surroundings), placeOfFile(to, surroundings)]);
  // Graphs stay beside the data sources that they were made from.
  if (!before || before.stateFolder !== after?.stateFolder) return;
  const { stateFolder } = before;
  const outcome = await moveState(stateFolder, before.entity, after.entity);
  if (outcome !== 'nothing') return;
  // Never imported: a state of the new name is that of a file that is gone, unless the rename was noticed by its text before.
  const [{ text }, now] = await Promise.all([
    readStatus(stateFolder, after.entity),
    readTextFile(to).catch(() => undefined),
  ]);
  const isOfAnother = text !== undefined && now !== undefined && text !== now;
  if (isOfAnother) await forgetState(stateFolder, after.entity);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
