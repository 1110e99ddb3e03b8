import { access, lstat, readdir, rm } from 'node:fs/promises';
import { FileError } from '../../files/file-error.ts';
import { ImportError } from '../../import/import-error.ts';
import { isEntityFile } from '../../project/list-entity-files.ts';
import type { ProjectContext } from '../../project/open-project.ts';
import type { SourceGraph } from '../../state/entity-status.ts';
import { forgetDefinition } from '../../state/definition-history.ts';
import { graphFiles, removeGraphFiles } from '../../state/graph-files.ts';
import { lockEntity } from '../../state/entity-lock.ts';
import { ownerText } from '../../state/import-lock.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { statePaths } from '../../state/state-folder.ts';
import { placeOfFile } from './entity-files.ts';
import type { EntityPlace } from '../imports/entity-place.ts';
import { dropGraphsInSources, graphsInSources, sourceGraphText } from '../imports/graphs-in-sources.ts';
import type { FileOutcome } from './lifecycle-result.ts';
import { OperationError } from '../operation-error.ts';

interface DeleteOptions {
  /** Also drops graphs that imports with `engine: source` built inside data sources. */
  readonly dropTables?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The files and graphs of an entity graph. */
interface Deletion {
  /** The existing files: graph, state and imported graphs. */
  readonly paths: readonly string[];
  /** Graphs inside data sources, deleted on request only. */
  readonly inSources: readonly SourceGraph[];
}

/**
 * Rejects with `file-name`, `is-folder` or `not-a-file` for other paths, and with `link-leads-out` when a part is
 * outside of the state folder.
 */
export async function previewDelete(path: string, projectContext: ProjectContext): Promise<Deletion> {
  await refuseOtherThings(path);
  const place = await placeOfFile(path, projectContext);
  const own = place
    ? [
        await insideStateFolder(place.stateFolder, statePaths.status(place.stateFolder, place.entity)),
        ...(await ownGraphs(place)),
        await insideStateFolder(place.stateFolder, statePaths.layout(place.stateFolder, place.entity)),
        await insideStateFolder(place.stateFolder, statePaths.filters(place.stateFolder, place.entity)),
      ]
    : [];
  const existing = await Promise.all([path, ...own].map(async (each) => ((await exists(each)) ? [each] : [])));
  const inSources = place ? graphsInSources(await readStatus(place.stateFolder, place.entity)) : [];
  return { paths: existing.flat(), inSources };
}

/**
 * Deletes them, the file last, so that a partial deletion can be repeated. Tables in sources go first: when a source is
 * unreachable, nothing is deleted.
 */
export async function deleteGraph(
  path: string,
  projectContext: ProjectContext,
  { dropTables, signal }: DeleteOptions = {},
): Promise<readonly FileOutcome[]> {
  await refuseOtherThings(path);
  const place = await placeOfFile(path, projectContext);
  const lock = place && (await lockEntity(place.stateFolder, place.entity, { signal }));
  if (lock?.kind === 'busy') {
    throw new ImportError('import-running', `${path} is being imported, by ${ownerText(lock.owner)}.`, {
      remedy: 'Wait until it has finished, or cancel it.',
    });
  }
  try {
    const { paths, inSources } = await previewDelete(path, projectContext);
    if (dropTables) await dropGraphsInSources(path, inSources, projectContext, signal);
    if (place) await removeGraphFiles(place.stateFolder, place.entity);
    // Only our own folders are deleted recursively.
    for (const each of paths.toReversed()) await rm(each, { recursive: each !== path, force: true });
    if (place) await forgetDefinition(place.stateFolder, place.entity);
    const message = inSources.length > 0 ? aboutTables(inSources, dropTables === true) : undefined;
    return paths.map((file) => ({
      file,
      action: 'deleted',
      ...(file === path && message !== undefined ? { message } : {}),
    }));
  } finally {
    if (lock?.kind === 'locked') await lock.release();
  }
}

/** Only an entity graph file is ever deleted, not a folder, a device or a data file named by mistake. */
async function refuseOtherThings(path: string): Promise<void> {
  if (!isEntityFile(path)) {
    throw new OperationError({
      code: 'file-name',
      message: `${path} is not an entity graph, and nothing else is deleted.`,
      remedy: 'Name a file that ends with .entity.yaml, .entity.yml or .entity.json.',
    });
  }
  const there = await lstat(path).catch(() => undefined);
  if (!there || there.isFile() || there.isSymbolicLink()) return;
  const remedy = 'Name the file of an entity graph.';
  throw there.isDirectory()
    ? new FileError('is-folder', `${path} is a folder.`, { file: path, remedy })
    : new FileError('not-a-file', `${path} is not a file.`, { file: path, remedy });
}

/** The folder of its graphs; only the files when it contains graphs of others. */
async function ownGraphs({ stateFolder, entity }: EntityPlace): Promise<readonly string[]> {
  const folder = statePaths.graphs(stateFolder, entity);
  const [own, all] = [await graphFiles(stateFolder, entity), await readdir(folder).catch(() => [])];
  return own.length === all.length ? [folder] : own;
}

function aboutTables(inSources: readonly SourceGraph[], areDropped: boolean): string {
  const names = inSources.map(sourceGraphText).join(', ');
  return areDropped ? `its tables are dropped: ${names}` : `its tables are still there: ${names}`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
