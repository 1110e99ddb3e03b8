import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import type {
  JoinPreview,
  QueryTarget,
  ShowQueryResult,
  ShownStep,
  TestQueryResult,
} from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Connector, Pull } from '../../connectors/connector.ts';
import { placeholderSecrets } from '../../connectors/secret-placeholders.ts';
import { duckdbBuild } from '../../import/build/build-dialect.ts';
import { type StagedEnd, endViews, joinFailure } from '../../import/join-ends.ts';
import { inZone } from '../../import/pulling.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import {
  type Project,
  type ProjectContext,
  cachedCatalog,
  connectorOf,
  describeSource,
  findSource,
} from '../../project/open-project.ts';
import { findRelationship } from '../../query/find-target.ts';
import { buildRelationshipQuery } from '../../query/build-query.ts';
import type { CompiledQuery, EndQuery, RelationshipQuery } from '../../query/compiled-query.ts';
import { buildJoinPreviewAcross } from '../../query/join-preview.ts';
import { type Relationship, relationshipName } from '../../model/entity-graph.ts';
import { openOnSharedStaging } from '../../store/shared-staging.ts';
import { type BuildDatabase, createBuildDatabase } from '../../store/duckdb-store.ts';
import { problemFailure, queryFailure, OperationError } from '../operation-error.ts';
import { countsOf } from './join-counts.ts';
import { tableOf } from './result-table.ts';
import { targetSources } from './target-sources.ts';

interface QueryOptions {
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each step of what can take long. */
  readonly onProgress?: ((step: string) => void) | undefined;
}

/** The query of a relationship across data sources: a part for each source, then the join that remains. Works offline. */
export async function showAcross(
  project: Project,
  target: QueryTarget,
  projectContext: ProjectContext,
  { limit = defaultPreviewRows, onProgress }: QueryOptions,
): Promise<ShowQueryResult> {
  const catalogs = new Map<string, Catalog>();
  const connectors = new Map<string, Connector>();
  try {
    for (const name of targetSources(project.parsed.graph, target)) {
      const source = findSource(project.sourcesFile, name);
      const cached = await cachedCatalog(project.sourcesFile, source, projectContext);
      // Showing a query sends nothing if the catalog is known, so missing secrets do not matter.
      const connector = await connectorOf(project.sourcesFile, source, {
        ...projectContext,
        ...(cached ? placeholderSecrets : {}),
      });
      connectors.set(name, connector);
      const options = { mayReuse: true, onProgress: stepsOf(name, onProgress) };
      catalogs.set(
        name,
        cached ?? (await describeSource(project.sourcesFile, source, connector, projectContext, options)),
      );
    }
    const query = compileAcross(project, target, catalogs);
    const steps: ShownStep[] = [];
    for (const end of query.ends ?? []) {
      const parts = await connectors.get(end.dataSource)?.steps(end.query, { kind: 'preview', limit });
      for (const part of parts ?? []) {
        steps.push({ ...part, source: end.dataSource, title: `${end.dataSource}: ${part.title}` });
      }
    }
    const title = 'The join of what was read, in the embedded engine';
    return { steps: [...steps, { kind: 'sql', dialect: query.dialect, role: 'core', title, text: query.sql }] };
  } finally {
    for (const connector of connectors.values()) await connector.close();
  }
}

/** The first pairs of a relationship across data sources. Reads both ends, and the cross table, completely. */
export async function testAcross(
  project: Project,
  target: QueryTarget,
  projectContext: ProjectContext,
  options: QueryOptions,
): Promise<TestQueryResult> {
  const started = performance.now();
  const compile = (catalogs: ReadonlyMap<string, Catalog>) => {
    const query = compileAcross(project, target, catalogs);
    return { ends: query.ends ?? [], query };
  };
  return withEnds({ project, projectContext, options, target, compile }, async ({ query }, firstRows, warnings) => {
    const rows = await firstRows(query, options.limit ?? defaultPreviewRows);
    return { ...tableOf({ ...rows, durationMs: Math.round(performance.now() - started) }), warnings };
  });
}

/**
 * The first pairs with the mapped columns and names of both sides, and how the rows match: both ends are read anyway, so
 * that the numbers cost no further reading.
 */
export async function previewAcross(
  project: Project,
  name: string,
  projectContext: ProjectContext,
  options: QueryOptions,
): Promise<JoinPreview> {
  const started = performance.now();
  const target = { kind: 'relationship', name } as const;
  const compile = (catalogs: ReadonlyMap<string, Catalog>) => {
    const { relationship, catalog } = relationshipAcross(project, target, catalogs);
    const built = buildJoinPreviewAcross(project.parsed.graph, relationship, catalog);
    if ('problems' in built) throw problemFailure(built.problems, project.file);
    return { ends: built.rows.ends ?? [], queries: built };
  };
  return withEnds({ project, projectContext, options, target, compile }, async ({ queries }, firstRows, warnings) => {
    const rows = await firstRows(queries.rows, options.limit ?? defaultPreviewRows);
    const table = tableOf({ ...rows, durationMs: Math.round(performance.now() - started) });
    const columns = table.columns.map((column, index) => ({
      ...column,
      name: queries.shown[index]?.name ?? column.name,
    }));
    options.onProgress?.('Counting matches');
    const counts = countsOf((await firstRows(queries.counts, 1)).rows[0] ?? []);
    return { ...table, columns, warnings, sides: queries.shown.map(({ end }) => end), counts };
  });
}

interface EndsToRead<T> {
  readonly project: Project;
  readonly projectContext: ProjectContext;
  readonly options: QueryOptions;
  readonly target: QueryTarget;
  readonly compile: (catalogs: ReadonlyMap<string, Catalog>) => T & { readonly ends: readonly EndQuery[] };
}

type FirstRows = (query: CompiledQuery, limit: number) => ReturnType<BuildDatabase['firstRows']>;

/** Reads the ends of a relationship, and its cross table, completely into a database in which queries over them run. */
async function withEnds<T, R>(
  { project, projectContext, options, target, compile }: EndsToRead<T>,
  work: (compiled: T, firstRows: FirstRows, warnings: readonly string[]) => Promise<R>,
): Promise<R> {
  const { signal = new AbortController().signal, onProgress } = options;
  const connectors = new Map<string, Connector>();
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-test-'));
  const staging = await createBuildDatabase({ path: ':memory:', temporaryFolder: folder });
  try {
    const catalogs = new Map<string, Catalog>();
    for (const name of targetSources(project.parsed.graph, target)) {
      const source = findSource(project.sourcesFile, name);
      const connector = await connectorOf(project.sourcesFile, source, projectContext);
      connectors.set(name, connector);
      catalogs.set(
        name,
        await describeSource(project.sourcesFile, source, connector, projectContext, {
          signal,
          mayReuse: true,
          onProgress: stepsOf(name, onProgress),
        }),
      );
    }
    const compiled = compile(catalogs);
    const place = { dialect: duckdbBuild, timeZone: 'UTC' };
    const { ends } = compiled;
    const pulls = new Map<string, Pull>();
    const warnings = new Set<string>();
    try {
      await openOnSharedStaging(staging, async (shared) => {
        for (const [name, connector] of connectors) {
          const queries = ends.flatMap((end) => (end.dataSource === name ? [end.query] : []));
          pulls.set(name, await connector.openPull(shared, { signal, queries }));
        }
      });
      const stagedEnds: StagedEnd[] = [];
      for (const end of ends) {
        stepsOf(end.dataSource, onProgress)('Reading the rows of the query');
        const loaded = await pulls
          .get(end.dataSource)
          ?.load(end.query, end.table, { signal })
          .catch((error: unknown) => {
            throw queryFailure(error, end.query, project.file, undefined, { withQuery: true });
          });
        for (const warning of loaded?.warnings ?? []) warnings.add(warning);
        const timeZone = connectors.get(end.dataSource)?.timeZone ?? place.timeZone;
        if (loaded) stagedEnds.push({ end, loaded: inZone(loaded, end.query, timeZone, place.timeZone) });
      }
      for (const { sql } of endViews(stagedEnds, place)) await staging.run(sql);
    } finally {
      for (const pull of pulls.values()) await pull.close();
    }
    const firstRows: FirstRows = (query, limit) =>
      staging.firstRows(query.sql, limit, { signal }).catch((error: unknown) => {
        const failure = joinFailure(error, { name: target.name, query, table: '' });
        const [reason, asked] = failure instanceof QueryFailure ? [failure.reason, failure.query] : [failure, query];
        throw queryFailure(reason, asked, project.file, undefined, { withQuery: true });
      });
    return await work(compiled, firstRows, [...warnings]);
  } finally {
    await staging.close();
    for (const connector of connectors.values()) await connector.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds the name of the data source to a step. */
function stepsOf(dataSource: string, onProgress: QueryOptions['onProgress']): (step: string) => void {
  return (step) => onProgress?.(`${dataSource}: ${step}`);
}

function compileAcross(
  project: Project,
  target: QueryTarget,
  catalogs: ReadonlyMap<string, Catalog>,
): RelationshipQuery {
  const { relationship, catalog } = relationshipAcross(project, target, catalogs);
  const built = buildRelationshipQuery(project.parsed.graph, relationship, catalog);
  if ('query' in built) return built.query;
  if (built.problems.length > 0) throw problemFailure(built.problems, project.file);
  throw new Error(`${relationshipName(relationship)} has no query.`);
}

function relationshipAcross(
  { parsed: { graph }, sourcesFile, file }: Project,
  target: QueryTarget,
  catalogs: ReadonlyMap<string, Catalog>,
): { readonly relationship: Relationship; readonly catalog: GraphCatalog } {
  const relationship = findRelationship(graph, target.name);
  const catalog = combineCatalogs(graph, sourcesFile.sources, ({ name }) => catalogs.get(name.value));
  if (!relationship || !catalog) {
    const message = `There is no relationship named ${target.name} in ${file.path}.`;
    throw new OperationError({ code: 'unknown-relationship', message, file: file.path });
  }
  return { relationship, catalog };
}
