import { dirname, resolve } from 'node:path';
import type { Catalog, CatalogOrigin } from '../../catalog/catalog.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { graphColumns } from '../../graph-tests/graph-columns.ts';
import type { GraphTest, GraphTests } from '../../graph-tests/graph-tests.ts';
import { testCatalog } from '../../graph-tests/test-catalog.ts';
import type { TestedGraph } from '../../graph-tests/test-problems.ts';
import {
  type Project,
  type ProjectContext,
  cachedCatalog,
  connectorOf,
  describeSource,
  openProject,
  readGraphFile,
} from '../../project/open-project.ts';

/** The graph of a file of tests, with its source. */
export interface OpenedGraph extends TestedGraph {
  readonly project: Project;
  readonly kind: SourceKind | undefined;
}

/**
 * Opens the graph that a file of tests names; undefined when it names none. Contacts no server: the catalog is the one
 * that was kept, or that of local files. Rejects with the error of the graph's file or its data source.
 */
export async function openTestedGraph(
  path: string,
  file: GraphTests,
  projectContext: ProjectContext,
  signal?: AbortSignal,
): Promise<OpenedGraph | undefined> {
  if (!file.graph) return undefined;
  const graphFile = await readGraphFile(resolve(dirname(path), file.graph.value), projectContext);
  const project = await openProject(graphFile, projectContext);
  const { graph } = project.parsed;
  const kind = sourceKind(project.source.kind?.value);
  const known = await knownCatalog(project, kind, projectContext, signal);
  const named = graphColumns(graph);
  const origin = originOf(project, kind, known);
  // Tests without types or rows of their own for unknown data objects share one catalog.
  const catalogs = new Map<GraphTest, Catalog>();
  const catalogOf = (test: GraphTest): Catalog => {
    const catalog = catalogs.get(test) ?? testCatalog(file, test, { origin, known, named });
    catalogs.set(test, catalog);
    return catalog;
  };
  return { project, kind, graph, named, catalog: known, catalogOf };
}

function originOf({ source }: Project, kind: SourceKind | undefined, known: Catalog | undefined): CatalogOrigin {
  return {
    dataSource: source.name.value,
    kind: kind?.name ?? '',
    dialect: kind?.dialect ?? 'duckdb',
    ...(kind?.capabilities.hasRowOrder && { hasRowOrder: true }),
    ...(known?.isFetched && { isFetched: true }),
  };
}

/** Files that are not there are no reason not to test. */
async function knownCatalog(
  { sourcesFile, source }: Project,
  kind: SourceKind | undefined,
  projectContext: ProjectContext,
  signal: AbortSignal | undefined,
): Promise<Catalog | undefined> {
  if (!kind?.capabilities.isAtHand) return cachedCatalog(sourcesFile, source);
  try {
    const connector = await connectorOf(sourcesFile, source, projectContext);
    try {
      return await describeSource(sourcesFile, source, connector, { signal, mayReuse: true });
    } finally {
      await connector.close();
    }
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return cachedCatalog(sourcesFile, source);
  }
}
