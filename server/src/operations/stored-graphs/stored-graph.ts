import { basename, join } from 'node:path';
import { sourcesFileNames } from '../../project/find-sources.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import type { PublishedSourceGraph } from '../../state/entity-status.ts';
import { readStatus } from '../../state/status-file.ts';
import { statePaths } from '../../state/state-folder.ts';
import { placeOfFile } from '../graph-files/entity-files.ts';
import { graphsInSources } from '../imports/graphs-in-sources.ts';
import { OperationError } from '../operation-error.ts';

/** Absolute paths. */
export interface StoredGraphs {
  readonly store: string;
  readonly previous?: string | undefined;
}

/** Absolute path of the store of the last successful import. Rejects with `not-imported`. */
export async function storedGraph(file: GraphFile, projectContext: ProjectContext): Promise<string> {
  return (await storedGraphs(file, projectContext)).store;
}

/**
 * The store of the last import, and the previous store if there is one. Rejects with `not-imported` or
 * `link-leads-out`.
 */
export async function storedGraphs(file: GraphFile, projectContext: ProjectContext): Promise<StoredGraphs> {
  const place = await placeOfFile(file.path, projectContext);
  if (place) {
    const { store, previous, schema } = await readStatus(place.stateFolder, place.entity);
    // Paths in a status must not lead out of the folder.
    const pathOf = (name: string): Promise<string> =>
      insideStateFolder(place.stateFolder, join(statePaths.graphs(place.stateFolder, place.entity), basename(name)));
    if (store !== undefined) {
      return { store: await pathOf(store), previous: previous === undefined ? undefined : await pathOf(previous) };
    }
    if (schema !== undefined) throw notOnThisMachine(file, schema);
  }
  if ((sourcesFileNames as readonly string[]).includes(basename(file.path)))
    throw new OperationError({
      code: 'not-imported',
      message: `${file.path} is a data sources file, which has no graph.`,
      file: file.path,
      remedy: 'Name an entity graph (*.entity.yaml).',
    });
  throw new OperationError({
    code: 'not-imported',
    message: `${file.path} has not been imported yet, so there is no graph.`,
    file: file.path,
    remedy: 'Import it first.',
  });
}

/** The graph of the last import, if it is in its data source and no copy of it is here. */
export async function graphInSource(
  file: GraphFile,
  projectContext: ProjectContext,
): Promise<PublishedSourceGraph | undefined> {
  const place = await placeOfFile(file.path, projectContext);
  if (!place) return undefined;
  const status = await readStatus(place.stateFolder, place.entity);
  const { run } = status;
  if (status.store !== undefined || status.schema === undefined || run === undefined) return undefined;
  const graph = graphsInSources(status).find((each) => each.schema === status.schema && each.run === run);
  return graph && { ...graph, run };
}

function notOnThisMachine(file: GraphFile, schema: string): OperationError {
  return new OperationError({
    code: 'graph-in-source',
    message: `The graph of ${file.path} is in the schema ${schema} of its data source, not in a store on this machine.`,
    file: file.path,
    remedy: 'Query it there, or copy it to this machine: Fetch Graph from Source, entity-graph fetch.',
  });
}
