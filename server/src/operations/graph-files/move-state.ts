import { access, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { makeFolder } from '../../files/make-folder.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import { isEntityFile, listEntityFiles } from '../../project/list-entity-files.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import { readTextFile } from '../../project/read-text-file.ts';
import { graphFiles, moveGraphFiles, removeGraphFiles } from '../../state/graph-files.ts';
import { lockEntity } from '../../state/entity-lock.ts';
import { forgetDefinition } from '../../state/definition-history.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { placeOfFile } from './entity-files.ts';
import { toFailure } from '../operation-error.ts';

/**
 * Moves state, graphs, positions and filters of an entity graph to another id in the same state folder, replacing leftovers of
 * an earlier file. Skipped while it is being imported, and when there is nothing to move.
 */
export async function moveState(stateFolder: string, from: string, to: string): Promise<'moved' | 'nothing' | 'busy'> {
  // Does not wait for the heartbeat of another machine; the next listing tries again.
  const lock = await lockEntity(stateFolder, from, { mayNotWait: true });
  if (lock.kind === 'busy') return 'busy';
  try {
    // Another process has already moved it: the existing state is current.
    const present = await Promise.all(
      [statePaths.status, statePaths.layout, statePaths.filters].map((path) => exists(path(stateFolder, from))),
    );
    const hasGraphs = (await graphFiles(stateFolder, from)).length > 0;
    if (!present.includes(true) && !hasGraphs) return 'nothing';
    // Without a status, the target comes from an interrupted move.
    if (await exists(statePaths.status(stateFolder, to))) await forgetState(stateFolder, to);
    await moveFile(stateFolder, statePaths.layout, from, to);
    await moveFile(stateFolder, statePaths.filters, from, to);
    await moveGraphFiles(stateFolder, from, to);
    // The status is moved last, so that an interrupted move can be repeated.
    await moveFile(stateFolder, statePaths.status, from, to);
    return 'moved';
  } finally {
    await lock.release();
  }
}

/** Deletes the state of an earlier file at this path, which no file uses any more. */
async function forgetState(stateFolder: string, entity: string): Promise<void> {
  await removeGraphFiles(stateFolder, entity);
  await rm(await insideStateFolder(stateFolder, statePaths.status(stateFolder, entity)), { force: true });
}

/** Deletes the state at the path of a new file, which must not inherit from an earlier file. Never rejects. */
export async function forgetStateOf(path: string, projectContext: ProjectContext): Promise<void> {
  const place = await placeOfFile(path, projectContext).catch(() => undefined);
  if (!place) return;
  await forgetDefinition(place.stateFolder, place.entity);
  await forgetState(place.stateFolder, place.entity).catch(() => undefined);
}

/** A missing file need not be moved. */
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

/** A graph whose state could not be moved. */
interface Leftover {
  readonly file: string;
  readonly failure: Failure;
}

/**
 * After a rename of a file, or of a folder with graphs, in the editor: moves the state, also of modified graphs. Never
 * rejects; resolves to graphs whose state could not be moved.
 */
export async function followRename(
  from: string,
  to: string,
  projectContext: ProjectContext,
): Promise<readonly Leftover[]> {
  // Other files contain no graphs.
  const files = isEntityFile(to) ? [to] : await listEntityFiles(to).catch(() => []);
  const left: Leftover[] = [];
  for (const file of files) {
    await followFile(join(from, relative(to, file)), file, projectContext).catch((error: unknown) => {
      left.push({ file, failure: toFailure(error) });
    });
  }
  return left;
}

async function followFile(from: string, to: string, projectContext: ProjectContext): Promise<void> {
  if (!isEntityFile(from)) return;
  const [before, after] = await Promise.all([placeOfFile(from, projectContext), placeOfFile(to, projectContext)]);
  // Graphs stay beside the sources file of their import.
  if (!before || before.stateFolder !== after?.stateFolder) return;
  const { stateFolder } = before;
  const outcome = await moveState(stateFolder, before.entity, after.entity);
  if (outcome !== 'nothing') return;
  // Never imported: existing state under the new name belongs to a deleted file, unless the rename was already
  // recognised by text.
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
