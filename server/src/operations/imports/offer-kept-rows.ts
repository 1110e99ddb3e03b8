import type { Catalog } from '../../catalog/catalog.ts';
import { rowsIdentity } from '../../connectors/rows-identity.ts';
import { isSourceDown } from '../../connectors/source-down.ts';
import { dataSourceFailure } from '../../import/data-source-failure.ts';
import { isWhole } from '../../import/import-slice.ts';
import { cachedIdentity } from '../../import/kept-rows.ts';
import { planImport, plannedPulls } from '../../import/plan-import.ts';
import { queryKey } from '../../import/row-cache/reusing-pull.ts';
import { cachedQueries } from '../../import/row-cache/row-cache.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { type Project, cachedCatalog, connectorContext, findSource, sourcesRead } from '../../project/open-project.ts';
import { statePaths } from '../../state/state-folder.ts';
import { OperationError } from '../operation-error.ts';
import type { EntityPlace } from './entity-place.ts';
import { toImportFailure } from './import-failure.ts';
import type { BuildWork } from './import-work.ts';
import { runVersions } from './run-versions.ts';

/** The error of an import. It mentions kept rows if these can replace the data source that is down. */
export async function offerKeptRows(
  error: unknown,
  work: BuildWork,
  project: Project,
  place: EntityPlace,
): Promise<unknown> {
  const { file, request, signal } = work;
  const failed = dataSourceFailure(error);
  if (!failed || signal.aborted || !isSourceDown(failed.reason)) return error;
  if (failed.details.lacksKeptRows || !isWhole(request)) return error;
  // A failure of this lookup must not hide why the import failed.
  if (!(await areKept(failed.dataSource, work, project, place).catch(() => false))) return error;
  return new OperationError({ ...toImportFailure(error, file, signal), hasKeptRows: true }, error);
}

/** Whether the row cache has rows of exactly the queries that an import sends to a data source. */
async function areKept(
  name: string,
  { projectContext }: BuildWork,
  project: Project,
  { stateFolder, entity }: EntityPlace,
): Promise<boolean> {
  const { parsed, sourcesFile } = project;
  const catalogs = new Map<string, Catalog | undefined>();
  for (const source of sourcesRead(project))
    catalogs.set(source.name.value, await cachedCatalog(sourcesFile, source, projectContext));
  const catalog = combineCatalogs(parsed.graph, sourcesFile.sources, (source) => catalogs.get(source.name.value));
  const planned = catalog && planImport(parsed.graph, catalog);
  if (!planned || 'problems' in planned) return false;
  const settings = await rowsIdentity(
    findSource(sourcesFile, name),
    await connectorContext(sourcesFile, projectContext),
  );
  const identity = cachedIdentity({ name, settings }, runVersions);
  const kept = await cachedQueries(statePaths.rows(stateFolder, entity));
  return plannedPulls(planned.plan).every(
    ({ dataSource, query }) => dataSource !== name || kept.has(queryKey(identity, query)),
  );
}
