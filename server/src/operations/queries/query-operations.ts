import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import type { QueryTarget, ShowQueryResult, TestQueryResult } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { Connector, Preview } from '../../connectors/connector.ts';
import { placeholderSecrets } from '../../connectors/secret-placeholders.ts';
import { type SourceErrorCode, isSourceError } from '../../connectors/source-error.ts';
import { duckdbBuild } from '../../import/build/build-dialect.ts';
import { isNoTime } from '../../import/build/utc-time.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import {
  type GraphFile,
  type Project,
  type ProjectContext,
  cachedCatalog,
  connectorOf,
  describeSource,
  openProject,
} from '../../project/open-project.ts';
import { textRange } from '../../project/text-range.ts';
import { buildElementQuery, buildMasterDataQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { ElementQuery, MasterDataQuery, QueryResult, RelationshipQuery } from '../../query/compiled-query.ts';
import { type FoundTarget, findTarget } from '../../query/find-target.ts';
import { sourceName } from '../../query/query-problems.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { someRows } from '../../query/some-rows.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';
import { OperationError, problemFailure, queryFailure } from '../operation-error.ts';
import { roleMarks, textTimes } from './cell-marks.ts';
import { showAcross, testAcross } from './query-across.ts';
import { tableOf } from './result-table.ts';
import { withShownRoles, withoutHelpers } from './shown-columns.ts';
import { isTargetAcross, projectOfTarget } from './target-sources.ts';

export interface TestQueryOptions {
  /** Rows returned at most; `defaultPreviewRows` when not given. */
  readonly limit?: number | undefined;
  /** Milliseconds; the source's own setting when not given. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds since 1970: a catalog that was read since then is not read again. */
  readonly requestedAt?: number | undefined;
  /** Called with each step of what can take long. */
  readonly onProgress?: ((step: string) => void) | undefined;
}

/** The step in which a source runs the query. */
export const runningQuery = 'Running the query';

/** The exact query of an element or a relationship. Works offline with the cached catalog. */
export async function showQuery(
  file: GraphFile,
  target: QueryTarget,
  projectContext: ProjectContext,
  options: Omit<TestQueryOptions, 'timeoutMs'> = {},
): Promise<ShowQueryResult> {
  const whole = await openProject(file, projectContext);
  if (isTargetAcross(whole, target)) return showAcross(whole, target, projectContext, options);
  const project = projectOfTarget(whole, target);
  const { connector, catalog: known } = await openToShow(project, projectContext);
  try {
    const catalog = known ?? (await liveOrCachedCatalog(project, connector, projectContext, options));
    const query = compileTarget(project, target, catalog, connector);
    return { steps: await connector.steps(query, { kind: 'preview', limit: options.limit ?? defaultPreviewRows }) };
  } finally {
    await connector.close();
  }
}

/** Runs the query of an element or a relationship read-only; returns its first rows with null counts. */
export async function testQuery(
  file: GraphFile,
  target: QueryTarget,
  projectContext: ProjectContext,
  options: TestQueryOptions = {},
): Promise<TestQueryResult> {
  const whole = await openProject(file, projectContext);
  if (isTargetAcross(whole, target)) return testAcross(whole, target, projectContext, options);
  const project = projectOfTarget(whole, target);
  const connector = await connectorOf(project.sourcesFile, project.source, projectContext);
  try {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const { requestedAt, onProgress } = options;
    const catalog = await describeSource(project.sourcesFile, project.source, connector, projectContext, {
      ...signal,
      requestedAt,
      mayReuse: true,
      onProgress,
    });
    const query = compileTarget(project, target, catalog, connector);
    onProgress?.(runningQuery);
    const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
    const preview = await connector
      .preview(query, { limit: options.limit ?? defaultPreviewRows, onProgress, ...signal, ...timeout })
      .catch((error: unknown) => {
        throw queryFailure(error, query, file, targetRange(project, target), { withQuery: true });
      });
    return testResult(preview, query, project);
  } finally {
    await connector.close();
  }
}

/** Showing a query needs no connection, so missing secrets do not matter. */
async function openToShow(
  project: Project,
  projectContext: ProjectContext,
): Promise<{ readonly connector: Connector; readonly catalog?: Catalog }> {
  const { sourcesFile, source } = project;
  try {
    return { connector: await connectorOf(sourcesFile, source, projectContext) };
  } catch (error) {
    const catalog = await cachedCatalog(sourcesFile, source, projectContext);
    if (!isSourceError(error) || !secretProblems.includes(error.code) || !catalog) throw error;
    const connector = await connectorOf(sourcesFile, source, { ...projectContext, ...placeholderSecrets });
    return { connector, catalog };
  }
}

/** Secrets that are missing or not allowed. */
const secretProblems: readonly SourceErrorCode[] = ['secret-missing', 'secret-not-allowed'];

async function liveOrCachedCatalog(
  project: Project,
  connector: Connector,
  projectContext: ProjectContext,
  { signal, requestedAt, onProgress }: TestQueryOptions,
): Promise<Catalog> {
  try {
    return await describeSource(project.sourcesFile, project.source, connector, projectContext, {
      signal,
      requestedAt,
      mayReuse: true,
      onProgress,
    });
  } catch (error) {
    const cached = signal?.aborted
      ? undefined
      : await cachedCatalog(project.sourcesFile, project.source, projectContext);
    if (cached) return cached;
    throw error;
  }
}

/** The query of an element or a relationship. Throws an `OperationError` with a position in the file. */
export function compileTarget(
  project: Project,
  target: QueryTarget,
  catalog: Catalog,
  { timeZone }: Pick<Connector, 'timeZone'>,
): ElementQuery | MasterDataQuery | RelationshipQuery {
  const { graph } = project.parsed;
  const found = findTarget(graph, target);
  if (!found) {
    throw new OperationError({
      code: unknownTargets[target.kind],
      message: `There is no ${targetWords[target.kind]} named ${target.name} in ${project.file.path}.`,
      file: project.file.path,
    });
  }
  const { sources } = project.sourcesFile.sources;
  const known = ({ name }: DataSource): Catalog | undefined =>
    name.value === catalog.dataSource ? catalog : undefined;
  const built = buildQuery(graph, found, combineCatalogs(graph, { sources }, known) ?? catalog);
  if ('problems' in built) throw problemFailure(built.problems, project.file);
  if (target.kind === 'relationship' || target.only === undefined || built.query.kind === 'relationship') {
    return built.query;
  }
  const some = someRows(built.query, target.only, timeZone);
  if (some) return some;
  throw new OperationError({
    code: 'unknown-column',
    message: `${target.name} has not the column any more that these rows are about, or it has another type.`,
    remedy: 'Import again to see the results of the current entity graph.',
    file: project.file.path,
  });
}

const unknownTargets = {
  element: 'unknown-activity',
  entities: 'unknown-entities',
  relationship: 'unknown-relationship',
} as const;

const targetWords = { element: 'activity', entities: 'entry of entities', relationship: 'relationship' } as const;

function buildQuery(
  graph: EntityGraph,
  found: FoundTarget,
  catalog: GraphCatalog,
): QueryResult<ElementQuery | MasterDataQuery | RelationshipQuery> {
  switch (found.kind) {
    case 'element':
      return buildElementQuery(graph, found.element, catalog);
    case 'entities':
      return buildMasterDataQuery(found.entry, catalog);
    case 'relationship':
      return buildRelationshipQuery(graph, found.relationship, catalog);
  }
}

/** The range of a query in the file: its name, or its whole entry. */
function placeOf(found: FoundTarget): SourceRange {
  switch (found.kind) {
    case 'element':
      return (found.element.activityName ?? found.element).range;
    case 'entities':
      return (sourceName(found.entry) ?? found.entry).range;
    case 'relationship':
      return (found.relationship.name ?? found.relationship).range;
  }
}

function targetRange(project: Project, target: QueryTarget): ReturnType<typeof textRange> | undefined {
  const found = findTarget(project.parsed.graph, target);
  return found && textRange(project.file.text, placeOf(found));
}

async function testResult(
  answer: Preview,
  executed: ElementQuery | MasterDataQuery | RelationshipQuery,
  { parsed }: Project,
): Promise<TestQueryResult> {
  const preview = withoutHelpers(answer, executed);
  const table = tableOf(preview);
  const { warnings: ofSource = [] } = preview;
  if (executed.kind === 'relationship') return { ...table, warnings: ofSource };
  const query = withShownRoles(executed);
  if (query.kind === 'entities') {
    return { ...table, warnings: [...ofSource, ...keyWarnings(query.roles.key, table.columns, preview.rows.length)] };
  }
  // How another engine reads a text is unknown here.
  const isEmbedded = parsed.graph.import?.engine !== 'source';
  const noTimes = isEmbedded ? await textsWithoutTime(textTimes(query, preview)) : new Set<string>();
  const marks = roleMarks(query, preview, (text) => noTimes.has(text));
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  return {
    ...table,
    warnings: [...ofSource, ...roleWarnings(query, table.columns, preview.rows.length), ...errorWarnings(errors)],
    ...(marks.length > 0 && { marks }),
  };
}

function errorWarnings(errors: number): readonly string[] {
  if (errors === 0) return [];
  return [errors === 1 ? '1 value is not a readable time.' : `${errors} values are not readable times.`];
}

function roleWarnings(query: ElementQuery, columns: TestQueryResult['columns'], rows: number): readonly string[] {
  const start = query.roles.startTimestamp;
  const nulls = columns.find((column) => column.name === start)?.nulls ?? 0;
  const warnings = keyWarnings(query.roles.key, columns, rows);
  return nulls > 0 ? [...warnings, `${nulls} of ${rows} rows have no ${start}: they give no event.`] : warnings;
}

function keyWarnings(key: readonly string[], columns: TestQueryResult['columns'], rows: number): readonly string[] {
  const nullsIn = (name: string): number => columns.find((column) => column.name === name)?.nulls ?? 0;
  return [
    ...(rows === 0 ? ['The query returns no rows: check the filter.'] : []),
    ...key
      .filter((name) => nullsIn(name) > 0)
      .map((name) => `${nullsIn(name)} of ${rows} rows have no ${name}: they have no key and are left out.`),
  ];
}

/** The texts that the embedded engine cannot read as times. */
async function textsWithoutTime(texts: readonly string[]): Promise<ReadonlySet<string>> {
  if (texts.length === 0) return new Set();
  const column = { name: 'text', type: 'VARCHAR', sense: 'text', stagedAs: 'c1', stagedType: 'VARCHAR' } as const;
  const values = texts.map((text) => `(${embeddedLiteral(text)})`).join(', ');
  const session = await openSharedScratch();
  try {
    const { rows } = await session.table(
      `SELECT c1 FROM (VALUES ${values}) AS texts(c1) WHERE ${isNoTime(column, { dialect: duckdbBuild, timeZone: 'UTC' })}`,
    );
    return new Set(rows.map(([text]) => String(text)));
  } finally {
    await session.close();
  }
}
