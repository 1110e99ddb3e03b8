import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { ImportStep } from '../../../../protocol/import-progress.ts';
import { createBuildFolder, runId } from '../../import/build-folder.ts';
import { isWhole } from '../../import/import-slice.ts';
import { plannedReads, plannedReadsText } from '../../import/planned-reads.ts';
import { ImportError } from '../../import/import-error.ts';
import {
  type Project,
  connectorOf,
  findSources,
  sourcesAbove,
  projectOf,
  describeSource,
  findSource,
  cachedCatalog,
  connectorContext,
  sourcesRead,
} from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { lockEntity } from '../../state/entity-lock.ts';
import { ownerText } from '../../state/import-lock.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { ensureStateFolder, statePaths } from '../../state/state-folder.ts';
import { type EntityPlace, entityPlace, recordStep } from './entity-place.ts';
import { firstMistake, sourceSchema, validPlan } from './import-plan.ts';
import type { BuildWork, ImportWork, LockedWork } from './import-work.ts';
import { type OpenedSources, openSources } from './open-sources.ts';
import { type PublishedGraph, buildAndPublish, buildInSource, fetchAndPublish } from './publish-graph.ts';
import { isSourceError } from '../../connectors/source-error.ts';
import { dataSourceFailure } from '../../import/data-source-failure.ts';
import { QueryFailure } from '../../import/query-failure.ts';
import { combineCatalogs } from '../../project/combine-catalogs.ts';
import { OperationError } from '../operation-error.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { rowsIdentity } from '../../connectors/rows-identity.ts';
import { isSourceDown } from '../../connectors/source-down.ts';
import { cachedIdentity } from '../../import/kept-rows.ts';
import { planImport, plannedPulls } from '../../import/plan-import.ts';
import { expectedRows } from '../../import/expected-rows.ts';
import { queryKey } from '../../import/row-cache/reusing-pull.ts';
import { cachedQueries } from '../../import/row-cache/row-cache.ts';
import { toImportFailure } from './import-failure.ts';
import { runVersions } from './run-versions.ts';

/** Imports under the lock of the entity graph. Rejects with the reason why there is no new graph. */
export async function importLocked(work: ImportWork): Promise<PublishedGraph> {
  const { file, projectContext, progress, request } = work;
  progress.report('schema discovery', 'Reading the entity graph');
  const sourcesFile = await findSources(file.path, projectContext);
  // Without a sources file there is neither a state folder nor a data source.
  if (!sourcesFile) {
    const above = await sourcesAbove(file.path, projectContext);
    const mistake = firstMistake(file, await readGraphText(file.text), undefined, undefined, above);
    throw mistake ?? new Error('The sources file has vanished.');
  }
  const place = entityPlace(file, sourcesFile);
  await ensureStateFolder(place.stateFolder);
  await insideStateFolder(place.stateFolder, statePaths.status(place.stateFolder, place.entity));
  const lock = await lockEntity(place.stateFolder, place.entity, {
    signal: work.signal,
    onWait: (owner) =>
      progress.report('schema discovery', `Looking whether it is still imported, by ${ownerText(owner)}`),
  });
  if (lock.kind === 'busy') {
    const message = `${basename(file.path)} is being imported already, by ${ownerText(lock.owner)}.`;
    throw new ImportError('import-running', message, { remedy: 'Wait until it has finished, or cancel it.' });
  }
  const assertLocked = async (): Promise<void> => {
    if (await lock.isHeld()) return;
    const message = `${basename(file.path)} was taken over by another import, as this process was stopped for too long.`;
    throw new ImportError('import-running', message, { remedy: 'Import it again once that has finished.' });
  };
  const locked: LockedWork = { ...work, assertLocked };
  try {
    const parsed = await readGraphText(file.text);
    if (request.kind === 'fetch') return await fetchProject(locked, projectOf(file, parsed, sourcesFile), place);
    work.onLocked(place);
    const mistake = firstMistake(file, parsed, sourcesFile);
    if (mistake) throw mistake;
    const build: BuildWork = { ...locked, request };
    const project = projectOf(file, parsed, sourcesFile);
    return await importProject(build, project, place).catch(async (error: unknown) => {
      throw await offerKeptRows(error, build, project, place);
    });
  } finally {
    await lock.release();
  }
}

async function fetchProject(work: LockedWork, project: Project, place: EntityPlace): Promise<PublishedGraph> {
  const { file, projectContext, progress, started } = work;
  const status = await readStatus(place.stateFolder, place.entity);
  if (status.schema === undefined) {
    const message = `${basename(file.path)} has no graph inside its data source.`;
    throw new ImportError('graph-not-in-source', message, {
      remedy: status.store === undefined ? 'Import it first.' : 'Its graph is on this machine already.',
    });
  }
  const connector = await connectorOf(project.sourcesFile, project.source, projectContext);
  try {
    progress.report('schema discovery', `Connecting to ${project.source.name.value}`);
    const run = runId(started, randomBytes(2).toString('hex'));
    const folder = await createBuildFolder(await graphsFolderOf(place), run);
    try {
      return await fetchAndPublish(work, { place, connector, folder }, status);
    } finally {
      await folder.remove();
    }
  } finally {
    await connector.close();
  }
}

async function importProject(work: BuildWork, project: Project, place: EntityPlace): Promise<PublishedGraph> {
  const { projectContext, progress, signal, started } = work;
  const reach = async (step: ImportStep, message: string): Promise<void> => {
    progress.report(step, message);
    await recordStep(place, step);
  };
  const onProgress = (message: string): void => progress.report('schema discovery', message, 0.5);
  const { isFull = false, usesKeptRows = false } = work.request;
  const options = { signal, onProgress, mayReuse: !isFull, usesKeptRows: usesKeptRows && isWhole(work.request) };
  const opened = await openSources(project, projectContext, options, (name) =>
    reach('schema discovery', `Reading the tables of ${name}`),
  );
  const { sources, catalog, close } = opened;
  const [{ connector }] = sources;
  try {
    await reach('validation', 'Checking the entity graph');
    const plan = validPlan(project, catalog);
    if (sources.length > 1) progress.report('validation', plannedReadsText(plannedReads(plan, sources, catalog)), 0.9);
    const run = runId(started, randomBytes(2).toString('hex'));
    const schema = sourceSchema(project, connector);
    if (schema !== undefined && connector.openBuild) {
      return await buildInSource(work, { project, place, connector, plan, run }, schema, connector.openBuild);
    }
    const folder = await createBuildFolder(await graphsFolderOf(place), run);
    try {
      return await buildAndPublish(work, {
        project,
        place,
        sources,
        plan,
        run,
        folder,
        expectedRows: expectedRows(plan, catalog),
      });
    } finally {
      await folder.remove();
    }
  } catch (error) {
    throw await explainChangedSource(error, work, project, opened);
  } finally {
    await close();
  }
}

/** Rejects with `link-leads-out`. */
async function graphsFolderOf({ stateFolder, entity }: EntityPlace): Promise<string> {
  await insideStateFolder(stateFolder, statePaths.rows(stateFolder, entity));
  return insideStateFolder(stateFolder, statePaths.graphs(stateFolder, entity));
}

/**
 * The error of an import whose plan was valid for the cached catalogs. If a source refuses a query, its tables are read
 * again: problems of the graph with the new catalog explain more than the refusal. Never rejects.
 */
async function explainChangedSource(
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

/** The error of an import. It mentions kept rows if these can replace the data source that is down. */
async function offerKeptRows(error: unknown, work: BuildWork, project: Project, place: EntityPlace): Promise<unknown> {
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
