import { sourceBuildDialect } from '../../import/build/build-dialect.ts';
import { sourceGraphTables } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedStore } from '../../process-rules/judged-store.ts';
import {
  type GraphFile,
  type ProjectContext,
  connectorOf,
  findSource,
  findSources,
} from '../../project/open-project.ts';
import type { PublishedSourceGraph } from '../../state/entity-status.ts';
import { OperationError } from '../operation-error.ts';
import { sourceJudgedStore } from './source-judged-store.ts';

/** Opens a graph in its data source read-only. Rejects with an `OperationError`, such as `graph-not-in-source`. */
export async function withGraphInSource<T>(
  file: GraphFile,
  graph: PublishedSourceGraph,
  projectContext: ProjectContext,
  signal: AbortSignal,
  work: (store: JudgedStore) => Promise<T>,
): Promise<T> {
  const sourcesFile = await findSources(file.path, projectContext);
  if (!sourcesFile) throw gone(file, graph);
  const connector = await connectorOf(sourcesFile, findSource(sourcesFile, graph.dataSource), projectContext);
  try {
    // The data source was changed to one of another kind since.
    if (!connector.openGraph) throw gone(file, graph);
    const path = connector.graphPath?.(graph) ?? [graph.schema];
    const dialect = sourceBuildDialect(connector.dialect, path);
    const reader = await connector.openGraph(graph, { signal });
    if (!reader) throw gone(file, graph);
    return await work(sourceJudgedStore(reader, (query) => sourceGraphTables(query, dialect, path)));
  } finally {
    await connector.close();
  }
}

function gone({ path }: GraphFile, { schema, dataSource }: PublishedSourceGraph): OperationError {
  return new OperationError({
    code: 'graph-not-in-source',
    message: `The graph of the last import is not in the schema ${schema} of ${dataSource} any more.`,
    file: path,
    remedy: 'Import the entity graph again.',
  });
}
