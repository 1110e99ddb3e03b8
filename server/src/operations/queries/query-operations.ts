import type { QueryTarget, ShowQueryResult, TestQueryResult } from '../../../../protocol/query-results.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Connector, Preview } from '../../connectors/connector.ts';
import { unsentSecrets } from '../../connectors/no-values.ts';
import { type SourceErrorCode, isSourceError } from '../../connectors/source-error.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { ElementQuery, RelationshipQuery } from '../../query/compiled-query.ts';
import { findTarget } from '../../query/find-target.ts';
import {
  type GraphFile,
  type Project,
  type ProjectSurroundings,
  cachedCatalog,
  connectorOf,
  describeSource,
  openProject,
} from '../../project/open-project.ts';
import { textRange } from '../../project/text-range.ts';
import { roleMarks, textTimes } from './cell-marks.ts';
import { textsWithoutTime } from './texts-without-time.ts';
import { withShownRoles, withoutHelpers } from './shown-columns.ts';
import { OperationError, problemFailure, queryFailure } from '../operation-error.ts';

export const defaultPreviewLimit = 100;

export interface TestQueryOptions {
  /** Rows returned at most; `defaultPreviewLimit` when not given. */
  readonly limit?: number | undefined;
  /** Milliseconds; the source's own setting when not given. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What exactly runs for an element or a relationship. Works offline from the cached catalog when the source is away. */
export async function showQuery(
  file: GraphFile,
  target: QueryTarget,
  surroundings: ProjectSurroundings,
  options: Pick<TestQueryOptions, 'signal' | 'limit'> = {},
): Promise<ShowQueryResult> {
  const project = await openProject(file, surroundings);
  const { connector, catalog: known } = await openToShow(project, surroundings);
  try {
    const catalog = known ?? (await liveOrCachedCatalog(project, connector, options.signal));
    const query = compileTarget(project, target, catalog);
    return { steps: await connector.steps(query, { kind: 'preview', limit: options.limit ?? defaultPreviewLimit }) };
  } finally {
    await connector.close();
  }
}

/** Runs an element's or relationship's query read-only and returns its first rows with null counts. */
export async function testQuery(
  file: GraphFile,
  target: QueryTarget,
  surroundings: ProjectSurroundings,
  options: TestQueryOptions = {},
): Promise<TestQueryResult> {
  const project = await openProject(file, surroundings);
  const connector = await connectorOf(project.sourcesFile, project.source, surroundings);
  try {
    const signal = options.signal === undefined ? {} : { signal: options.signal };
    const catalog = await describeSource(project.sourcesFile, project.source, connector, { ...signal, mayReuse: true });
    const query = compileTarget(project, target, catalog);
    const timeout = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
    const preview = await connector
      .preview(query, { limit: options.limit ?? defaultPreviewLimit, ...signal, ...timeout })
      .catch((error: unknown) => {
        throw queryFailure(error, query, file, targetRange(project, target), { withQuery: true });
      });
    return testResult(preview, query, project);
  } finally {
    await connector.close();
  }
}

/** Showing a query of a known catalog connects to nothing: a secret that nobody has is no obstacle then. */
async function openToShow(
  project: Project,
  surroundings: ProjectSurroundings,
): Promise<{ readonly connector: Connector; readonly catalog?: Catalog }> {
  const { sourcesFile, source } = project;
  try {
    return { connector: await connectorOf(sourcesFile, source, surroundings) };
  } catch (error) {
    const catalog = await cachedCatalog(sourcesFile, source);
    if (!isSourceError(error) || !secretProblems.includes(error.code) || !catalog) throw error;
    const connector = await connectorOf(sourcesFile, source, { ...surroundings, ...unsentSecrets });
    return { connector, catalog };
  }
}

/** Secrets that nobody has, or has allowed to be sent. */
const secretProblems: readonly SourceErrorCode[] = ['secret-missing', 'secret-not-allowed'];

async function liveOrCachedCatalog(
  project: Project,
  connector: Connector,
  signal: AbortSignal | undefined,
): Promise<Catalog> {
  try {
    return await describeSource(project.sourcesFile, project.source, connector, {
      ...(signal && { signal }),
      mayReuse: true,
    });
  } catch (error) {
    const cached = signal?.aborted ? undefined : await cachedCatalog(project.sourcesFile, project.source);
    if (cached) return cached;
    throw error;
  }
}

/** The query of an element or a relationship. Throws an `OperationError` that points into the file. */
export function compileTarget(
  project: Project,
  target: QueryTarget,
  catalog: Catalog,
): ElementQuery | RelationshipQuery {
  const { graph } = project.parsed;
  const found = findTarget(graph, target);
  if (!found) {
    const names = target.kind === 'element' ? 'activity' : 'relationship';
    throw new OperationError({
      code: `unknown-${names}`,
      message: `There is no ${names} named ${target.name} in ${project.file.path}.`,
      file: project.file.path,
    });
  }
  const built =
    found.kind === 'element'
      ? buildElementQuery(graph, found.element, catalog)
      : buildRelationshipQuery(graph, found.relationship, catalog);
  if ('problems' in built) throw problemFailure(built.problems, project.file);
  return built.query;
}

function targetRange(project: Project, target: QueryTarget): ReturnType<typeof textRange> | undefined {
  const found = findTarget(project.parsed.graph, target);
  if (!found) return undefined;
  const node = found.kind === 'element' ? found.element : found.relationship;
  const name = found.kind === 'element' ? found.element.activityName : found.relationship.name;
  return textRange(project.file.text, name?.range ?? node.range);
}

async function testResult(
  answer: Preview,
  executed: ElementQuery | RelationshipQuery,
  { parsed }: Project,
): Promise<TestQueryResult> {
  const preview = withoutHelpers(answer, executed);
  const table = tableOf(preview);
  if (executed.kind === 'relationship') return { ...table, warnings: [] };
  const query = withShownRoles(executed);
  // What another engine makes of a text is not known here.
  const isEmbedded = parsed.graph.import?.engine !== 'source';
  const noTimes = isEmbedded ? await textsWithoutTime(textTimes(query, preview)) : new Set<string>();
  const marks = roleMarks(query, preview, (text) => noTimes.has(text));
  const errors = marks.filter(({ severity }) => severity === 'error').length;
  return {
    ...table,
    warnings: [...roleWarnings(query, table.columns, preview.rows.length), ...errorWarnings(errors)],
    ...(marks.length > 0 && { marks }),
  };
}

function errorWarnings(errors: number): readonly string[] {
  if (errors === 0) return [];
  return [errors === 1 ? '1 value is no time that can be read.' : `${errors} values are no times that can be read.`];
}

/** Rows with the number of missing values in each column. */
export function tableOf({
  columns,
  rows,
  truncated,
  sizeLimit,
  durationMs,
}: Preview): Omit<TestQueryResult, 'warnings'> {
  const counted = columns.map(({ name, type }, index) => ({
    name,
    type,
    nulls: rows.filter((row) => row[index] === null).length,
  }));
  return { columns: counted, rows, truncated, ...(sizeLimit !== undefined && { sizeLimit }), durationMs };
}

function roleWarnings(query: ElementQuery, columns: TestQueryResult['columns'], rows: number): readonly string[] {
  const nullsIn = (name: string): number => columns.find((column) => column.name === name)?.nulls ?? 0;
  const warnings: string[] = [];
  if (rows === 0) warnings.push('The query returns no rows: check the filter.');
  for (const name of query.roles.key) {
    if (nullsIn(name) > 0)
      warnings.push(`${nullsIn(name)} of ${rows} rows have no ${name}: they have no key and are left out.`);
  }
  const start = query.roles.startTimestamp;
  if (nullsIn(start) > 0) warnings.push(`${nullsIn(start)} of ${rows} rows have no ${start}: they give no event.`);
  return warnings;
}
