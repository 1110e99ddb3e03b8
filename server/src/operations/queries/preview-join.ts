import { defaultPreviewRows } from '../../../../protocol/preview-limits.ts';
import type { JoinCounts, JoinPreview } from '../../../../protocol/query-results.ts';
import type { Connector } from '../../connectors/connector.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import {
  type GraphFile,
  type Project,
  type ProjectContext,
  connectorOf,
  describeSource,
  openProject,
} from '../../project/open-project.ts';
import { textRange } from '../../project/text-range.ts';
import { findTarget } from '../../query/find-target.ts';
import { type JoinPreviewQueries, buildJoinPreview } from '../../query/join-preview.ts';
import { problemFailure, queryFailure } from '../operation-error.ts';
import { countsOf } from './join-counts.ts';
import { previewAcross } from './query-across.ts';
import { type TestQueryOptions, compileTarget, runningQuery } from './query-operations.ts';
import { tableOf } from './result-table.ts';
import { isTargetAcross, projectOfTarget } from './target-sources.ts';

/**
 * The first rows that a relationship joins, with the mapped columns and names of both sides
 * (docs/semantics.md#128-preview-of-a-relationship).
 */
export async function previewJoin(
  file: GraphFile,
  name: string,
  projectContext: ProjectContext,
  options: TestQueryOptions = {},
): Promise<JoinPreview> {
  const whole = await openProject(file, projectContext);
  const target = { kind: 'relationship', name } as const;
  if (isTargetAcross(whole, target)) return previewAcross(whole, name, projectContext, options);
  return withJoin(whole, name, projectContext, options, async ({ queries, project, connector, catalog, wrapped }) => {
    const limit = options.limit ?? defaultPreviewRows;
    if (!queries) {
      const query = compileTarget(project, { kind: 'relationship', name }, catalog, connector);
      const preview = await connector.preview(query, { limit, ...previewOptions(options) }).catch(wrapped(query));
      return { ...tableOf(preview), warnings: preview.warnings ?? [], sides: [] };
    }
    const preview = await connector
      .preview(queries.rows, { limit, ...previewOptions(options) })
      .catch(wrapped(queries.rows));
    const table = tableOf(preview);
    const columns = table.columns.map((column, index) => ({
      ...column,
      name: queries.shown[index]?.name ?? column.name,
    }));
    const { warnings = [] } = preview;
    return { ...table, columns, warnings, sides: queries.shown.map(({ end }) => end) };
  });
}

/** Rows, NULL keys, rows without a match and the most matches of each side; null where they are not counted. */
export async function countJoin(
  file: GraphFile,
  name: string,
  projectContext: ProjectContext,
  options: TestQueryOptions = {},
): Promise<JoinCounts | null> {
  const whole = await openProject(file, projectContext);
  if (isTargetAcross(whole, { kind: 'relationship', name }))
    return (await previewAcross(whole, name, projectContext, { ...options, limit: 1 })).counts ?? null;
  return withJoin(whole, name, projectContext, options, async ({ queries, connector, catalog, wrapped }) => {
    // All records of both ends would have to be fetched.
    if (!queries || catalog.isFetched) return null;
    const { rows } = await connector
      .preview(queries.counts, { limit: 1, ...previewOptions(options) })
      .catch(wrapped(queries.counts));
    return countsOf(rows[0] ?? []);
  });
}

interface OpenedJoin {
  /** Absent for a path. */
  readonly queries?: JoinPreviewQueries | undefined;
  readonly project: Project;
  readonly connector: Connector;
  readonly catalog: Catalog;
  /** Rejects with the failure of a query, placed in the file. */
  readonly wrapped: (query: Parameters<typeof queryFailure>[1]) => (error: unknown) => never;
}

async function withJoin<T>(
  whole: Project,
  name: string,
  projectContext: ProjectContext,
  { signal, requestedAt, onProgress }: TestQueryOptions,
  work: (opened: OpenedJoin) => Promise<T>,
): Promise<T> {
  const project = projectOfTarget(whole, { kind: 'relationship', name });
  const { file } = project;
  const connector = await connectorOf(project.sourcesFile, project.source, projectContext);
  try {
    const catalog = await describeSource(project.sourcesFile, project.source, connector, projectContext, {
      signal,
      requestedAt,
      mayReuse: true,
      onProgress,
    });
    const { graph } = project.parsed;
    const found = findTarget(graph, { kind: 'relationship', name });
    const relationship = found?.kind === 'relationship' ? found.relationship : undefined;
    const built = relationship && !relationship.path ? buildJoinPreview(graph, relationship, catalog) : undefined;
    if (built && 'problems' in built) throw problemFailure(built.problems, file);
    const place = relationship && textRange(file.text, (relationship.name ?? relationship).range);
    const wrapped: OpenedJoin['wrapped'] = (query) => (error) => {
      throw queryFailure(error, query, file, place, { withQuery: true });
    };
    onProgress?.(runningQuery);
    return await work({ queries: built, project, connector, catalog, wrapped });
  } finally {
    await connector.close();
  }
}

function previewOptions({ signal, timeoutMs }: TestQueryOptions): {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
} {
  return { signal, timeoutMs };
}
