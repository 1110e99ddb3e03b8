import { dirname, resolve } from 'node:path';
import type { Catalog, CatalogOrigin } from '../../catalog/catalog.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { graphColumns } from '../../graph-tests/graph-columns.ts';
import type { GraphTests } from '../../graph-tests/graph-tests.ts';
import type { TestedSource } from '../../graph-tests/test-catalog.ts';
import { type TestedGraph, testedGraph } from '../../graph-tests/tested-graph.ts';
import type { DataSource } from '../../model/data-sources.ts';
import {
  type Project,
  type ProjectContext,
  cachedCatalog,
  connectorOf,
  describeSource,
  openProject,
  readGraphFile,
  sourcesRead,
} from '../../project/open-project.ts';

/** The graph of a file of tests, with its data sources. */
export interface OpenedGraph extends TestedGraph {
  readonly project: Project;
  readonly sources: readonly [OpenedSource, ...OpenedSource[]];
}

export interface OpenedSource extends TestedSource {
  readonly source: DataSource;
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
  const open = async (source: DataSource): Promise<OpenedSource> => {
    const kind = sourceKind(source.kind?.value);
    const known = await knownCatalog(project, source, { kind, projectContext, signal });
    const named = graphColumns(graph, source.name.value);
    return { source, kind, known, named, origin: originOf(source, kind, known) };
  };
  const [main, ...others] = sourcesRead(project);
  const sources: [OpenedSource, ...OpenedSource[]] = [await open(main)];
  for (const source of others) sources.push(await open(source));
  return { project, ...testedGraph(file, graph, sources), sources };
}

function originOf(source: DataSource, kind: SourceKind | undefined, known: Catalog | undefined): CatalogOrigin {
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
  { sourcesFile }: Project,
  source: DataSource,
  {
    kind,
    projectContext,
    signal,
  }: {
    readonly kind: SourceKind | undefined;
    readonly projectContext: ProjectContext;
    readonly signal: AbortSignal | undefined;
  },
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
