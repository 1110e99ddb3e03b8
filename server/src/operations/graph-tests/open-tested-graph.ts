import { dirname, resolve } from 'node:path';
import type { Catalog } from '../../catalog/catalog.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { GraphTests } from '../../graph-tests/graph-tests.ts';
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
import { type OpenedSource, testedSource } from './tested-source.ts';

/** The graph of a file of tests, with its data sources. */
export interface OpenedGraph extends TestedGraph {
  readonly project: Project;
  readonly sources: readonly [OpenedSource, ...OpenedSource[]];
}

export interface OpenTestedOptions {
  readonly signal?: AbortSignal | undefined;
  /** Reads the catalogs of sources that run queries on given rows. */
  readonly isOnline?: boolean | undefined;
}

/**
 * Opens the graph that a test file names; undefined if it names none. Contacts no server unless tests run online: the
 * catalog is cached, or read from local files. Rejects with the error of the graph's file or its data source.
 */
export async function openTestedGraph(
  path: string,
  file: GraphTests,
  projectContext: ProjectContext,
  { signal, isOnline = false }: OpenTestedOptions = {},
): Promise<OpenedGraph | undefined> {
  if (!file.graph) return undefined;
  const project = await projectUnderTest(path, file.graph.value, projectContext);
  const { graph } = project.parsed;
  const open = async (source: DataSource): Promise<OpenedSource> => {
    const kind = sourceKind(source.kind?.value);
    return testedSource(graph, source, await knownCatalog(project, source, { kind, projectContext, signal, isOnline }));
  };
  const [main, ...others] = sourcesRead(project);
  const sources: [OpenedSource, ...OpenedSource[]] = [await open(main)];
  for (const source of others) sources.push(await open(source));
  return { project, ...testedGraph(file, graph, sources), sources };
}

/**
 * The project of the graph that a file of tests names, relative to the file. Rejects with the error of the graph's file
 * or its data source.
 */
export async function projectUnderTest(path: string, graph: string, projectContext: ProjectContext): Promise<Project> {
  return openProject(await readGraphFile(resolve(dirname(path), graph), projectContext), projectContext);
}

/** Missing files do not prevent tests. An unreachable server fails the tests that need it. */
async function knownCatalog(
  { sourcesFile }: Project,
  source: DataSource,
  {
    kind,
    projectContext,
    signal,
    isOnline,
  }: {
    readonly kind: SourceKind | undefined;
    readonly projectContext: ProjectContext;
    readonly signal: AbortSignal | undefined;
    readonly isOnline: boolean;
  },
): Promise<Catalog | undefined> {
  const { isAtHand = false, runsGivenRows = false } = kind?.capabilities ?? {};
  if (!isAtHand && !(isOnline && runsGivenRows)) return cachedCatalog(sourcesFile, source, projectContext);
  try {
    const connector = await connectorOf(sourcesFile, source, projectContext);
    try {
      return await describeSource(sourcesFile, source, connector, projectContext, { signal, mayReuse: true });
    } finally {
      await connector.close();
    }
  } catch (error) {
    if (!isSourceError(error)) throw error;
    return cachedCatalog(sourcesFile, source, projectContext);
  }
}
