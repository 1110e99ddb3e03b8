import type { GraphOwner } from '../../connectors/source-build.ts';
import { isRelationOf } from '../../graph-schema/table-names.ts';
import {
  type ProjectContext,
  type SourcesFile,
  connectorOf,
  findSource,
  findSources,
} from '../../project/open-project.ts';
import type { EntityStatus, SourceGraph } from '../../state/entity-status.ts';
import type { EntityPlace } from './entity-place.ts';
import { OperationError } from '../operation-error.ts';

/** The graphs built inside data sources. */
export function graphsInSources({ inSources = [] }: EntityStatus): readonly SourceGraph[] {
  return inSources;
}

/** The owner whose graphs an import may replace. */
export function graphOwner({ entity }: EntityPlace, status: EntityStatus): GraphOwner {
  const runs = graphsInSources(status).flatMap(({ run, begun = [] }) => (run === undefined ? begun : [run, ...begun]));
  return { entity, runs };
}

/** A graph inside a data source, in words. */
export function sourceGraphText({ dataSource, schema, run }: SourceGraph): string {
  const doubt = run === undefined ? ' (if an interrupted import published it)' : '';
  return `schema ${schema} of ${dataSource}${doubt}`;
}

/** Drops the graphs, all of one source in one transaction. Rejects with the reason why some remain. */
export async function dropGraphsInSources(
  path: string,
  graphs: readonly SourceGraph[],
  projectContext: ProjectContext,
  signal?: AbortSignal,
): Promise<void> {
  const sourcesFile = await findSources(path, projectContext);
  for (const name of new Set(graphs.map(({ dataSource }) => dataSource))) {
    const own = graphs.filter(({ dataSource }) => dataSource === name);
    if (sourcesFile) await dropInSource(sourcesFile, name, own, projectContext, signal);
  }
}

async function dropInSource(
  sourcesFile: SourcesFile,
  name: string,
  graphs: readonly SourceGraph[],
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  const connector = await connectorOf(sourcesFile, findSource(sourcesFile, name), projectContext);
  try {
    if (!connector.dropGraphs) {
      throw new OperationError({
        code: 'engine-unsupported',
        message: `${name} is of kind ${connector.kind} now, which holds no graphs.`,
        remedy: 'Delete without the tables in the source.',
      });
    }
    await connector.dropGraphs(graphs, { isRelationOf, signal });
  } finally {
    await connector.close();
  }
}
