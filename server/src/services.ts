import type { ImportPlanView } from '../../protocol/import-plan.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import type {
  JoinCounts,
  JoinPreview,
  Outcome,
  QueryTarget,
  ShowQueryResult,
  TestQueryResult,
} from '../../protocol/query-results.ts';
import type { Catalog } from './catalog/catalog.ts';
import { sourceKind } from './connectors/source-kinds.ts';
import type * as engineClient from './engine/engine-client.ts';
import type { ComparedTexts } from './engine/engine-methods.ts';
import type { GraphTestReport } from './operations/graph-tests/test-report.ts';
import type { ImportGraphOptions } from './operations/imports/import-graph.ts';
import { toOutcome } from './operations/operation-error.ts';
import { catalogKey } from './project/catalog-freshness.ts';
import {
  type GraphFile,
  type ProjectContext,
  type SourcesFile,
  cachedCatalog,
  connectorOf,
  describeSource,
  findSource,
  findSources,
} from './project/open-project.ts';
import type { TestQueryOptions } from './operations/queries/query-operations.ts';

/** Operations on files and sources for a long-lived program, the language server. */
export interface Services {
  /** The sources file of a graph, unsaved text first; undefined when there is none. */
  findSources(path: string): Promise<SourcesFile | undefined>;
  /** From the disk cache, then the source (unless `offline`). Concurrent calls share one read. */
  catalogOf(sourcesFile: SourcesFile, dataSource: string, options?: CatalogOptions): Promise<Catalog | undefined>;
  showQuery(
    file: GraphFile,
    target: QueryTarget,
    options?: Omit<TestQueryOptions, 'timeoutMs'>,
  ): Promise<Outcome<ShowQueryResult>>;
  testQuery(file: GraphFile, target: QueryTarget, options?: TestQueryOptions): Promise<Outcome<TestQueryResult>>;
  previewJoin(file: GraphFile, name: string, options?: TestQueryOptions): Promise<Outcome<JoinPreview>>;
  countJoin(file: GraphFile, name: string, options?: TestQueryOptions): Promise<Outcome<JoinCounts | null>>;
  importPlan(
    file: GraphFile,
    signal: AbortSignal,
    onProgress?: (step: string) => void,
  ): Promise<Outcome<ImportPlanView>>;
  /** What a text does, compared with another one; in a child process. */
  compareTexts(
    file: GraphFile,
    texts: { readonly base: string; readonly isOffline: boolean; readonly keepsStores: boolean },
    options: { readonly signal: AbortSignal; readonly onProgress: (step: string) => void },
  ): Promise<Outcome<ComparedTexts>>;
  /** Runs tests with given rows in a child process. */
  runTests(tests: engineClient.TestsJob, signal: AbortSignal): Promise<Outcome<GraphTestReport>>;
  /** In a child process; never rejects: the outcome reports failures. */
  importGraph(file: GraphFile, options: ImportOptions): Promise<ImportOutcome>;
}

interface CatalogOptions {
  /** Reads the source even if a catalog is known. */
  readonly refresh?: boolean | undefined;
  /** Does not contact the source. */
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each step of reading the source. */
  readonly onProgress?: ((step: string) => void) | undefined;
}

interface ImportOptions extends Omit<ImportGraphOptions, 'enginePath'> {
  /** The data sources file, if already loaded. */
  readonly sourcesFile?: SourcesFile | undefined;
}

/**
 * Queries and imports are loaded on first use.
 * @param enginePath the bundle of the import process, such as `server/dist/engine.js`.
 * @param describeFiles reads the catalog of a file source in another process, so that DuckDB is not loaded into this
 * one.
 */
export function createServices(
  projectContext: ProjectContext,
  enginePath: string,
  describeFiles?: (sourcesFile: SourcesFile, dataSource: string) => Promise<Catalog>,
): Services {
  const reading = new Map<string, Promise<Catalog>>();

  const catalogOf: Services['catalogOf'] = async (sourcesFile, dataSource, options = {}) => {
    const source = findSource(sourcesFile, dataSource);
    const key = catalogKey(sourcesFile, source);
    const known = options.refresh ? undefined : await cachedCatalog(sourcesFile, source, projectContext);
    if (known || options.offline) return known;
    const read = reading.get(key) ?? readCatalog(sourcesFile, dataSource, options);
    reading.set(key, read);
    try {
      return await read;
    } finally {
      reading.delete(key);
    }
  };

  async function readCatalog(
    sourcesFile: SourcesFile,
    dataSource: string,
    { signal, onProgress }: CatalogOptions,
  ): Promise<Catalog> {
    const source = findSource(sourcesFile, dataSource);
    if (describeFiles && sourceKind(source.kind?.value)?.capabilities.isReadByDuckdb)
      return describeFiles(sourcesFile, dataSource);
    const connector = await connectorOf(sourcesFile, source, projectContext);
    try {
      return await describeSource(sourcesFile, source, connector, projectContext, { signal, onProgress });
    } finally {
      await connector.close();
    }
  }

  return {
    findSources: (path) => findSources(path, projectContext),
    catalogOf,
    showQuery: (file, target, options = {}) =>
      toOutcome(async () => {
        const { showQuery } = await import('./operations/queries/query-operations.ts');
        return showQuery(file, target, projectContext, options);
      }, options.signal),
    testQuery: (file, target, options = {}) =>
      toOutcome(async () => {
        const { testQuery } = await import('./operations/queries/query-operations.ts');
        return testQuery(file, target, projectContext, options);
      }, options.signal),
    previewJoin: (file, name, options = {}) =>
      toOutcome(async () => {
        const { previewJoin } = await import('./operations/queries/preview-join.ts');
        return previewJoin(file, name, projectContext, options);
      }, options.signal),
    countJoin: (file, name, options = {}) =>
      toOutcome(async () => {
        const { countJoin } = await import('./operations/queries/preview-join.ts');
        return countJoin(file, name, projectContext, options);
      }, options.signal),
    importPlan: (file, signal, onProgress) =>
      ofChild(async ({ planInChildProcess }) => {
        return planInChildProcess(enginePath, file, projectContext, signal, onProgress);
      }, signal),
    compareTexts: (file, texts, options) =>
      ofChild(async ({ compareInChildProcess }) => {
        return compareInChildProcess(enginePath, file, texts, projectContext, options);
      }, options.signal),
    runTests: (tests, signal) =>
      ofChild(async ({ testInChildProcess }) => testInChildProcess(enginePath, tests, projectContext, signal), signal),
    async importGraph(file, { sourcesFile, ...options }) {
      const { importGraph } = await import('./operations/imports/import-graph.ts');
      return importGraph(file, { ...projectContext, foundSources: () => sourcesFile }, { ...options, enginePath });
    },
  };
}

/** The outcome of work in a child process, or the failure of that process. */
async function ofChild<T>(
  work: (client: typeof engineClient) => Promise<Outcome<T>>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const done = await toOutcome(async () => work(await import('./engine/engine-client.ts')), signal);
  return done.ok ? done.value : done;
}
