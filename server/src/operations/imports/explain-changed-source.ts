import { isSourceError } from '../../connectors/source-error.ts';
import { dataSourceFailure } from '../../import/data-source-failure.ts';
import { ImportError } from '../../import/import-error.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { type Project, describeSource, findSource } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import { firstMistake } from './import-plan.ts';
import type { BuildWork } from './import-work.ts';
import type { OpenedSources } from './open-sources.ts';

/**
 * The error of an import whose plan was valid for the cached catalogs. If a source refuses a query, its tables are read
 * again: problems of the graph with the new catalog explain more than the refusal. Never rejects.
 */
export async function explainChangedSource(
  error: unknown,
  { signal, projectContext }: BuildWork,
  project: Project,
  { sources, catalogs }: Pick<OpenedSources, 'sources' | 'catalogs'>,
): Promise<unknown> {
  if (signal.aborted || !mayFollowFromChange(error)) return error;
  const { file, parsed, sourcesFile } = project;
  const failed = dataSourceFailure(error)?.dataSource;
  for (const { name, connector } of sources.filter((source) => failed === undefined || source.name === failed)) {
    const options = { signal, mayReuse: false };
    const source = findSource(sourcesFile, name);
    const now = await describeSource(sourcesFile, source, connector, projectContext, options).catch(() => undefined);
    if (!now) continue;
    const catalog = combineCatalogs(parsed.graph, sourcesFile.sources, (each) =>
      each.name.value === name ? now : catalogs.get(each.name.value),
    );
    const mistake = firstMistake(file, parsed, sourcesFile, catalog);
    if (!mistake) continue;
    const message = `Data source ${name} has changed since the import read its tables: ${mistake.failure.message}`;
    const remedy = 'Adapt the entity graph, or undo the change at the source; then import again.';
    return new OperationError({ ...mistake.failure, message, remedy }, error);
  }
  return error;
}

/** A refused query, or a column of another type than in the plan. */
function mayFollowFromChange(error: unknown): boolean {
  if (error instanceof ImportError) return error.code === 'type-mismatch';
  const reason = dataSourceFailure(error)?.reason ?? (error instanceof QueryFailure ? error.reason : undefined);
  return isSourceError(reason) && refusals.has(reason.code);
}

const refusals: ReadonlySet<string> = new Set(['column-missing', 'object-missing', 'type-mismatch', 'sql-error']);
