import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import type { ImportStep } from '../../../../protocol/import-progress.ts';
import { createBuildFolder, runId } from '../../import/build-folder.ts';
import { isWhole } from '../../import/import-slice.ts';
import { plannedReads, plannedReadsText } from '../../import/planned-reads.ts';
import { ImportError } from '../../import/import-error.ts';
import { type Project, connectorOf, findSources, sourcesAbove, projectOf } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { lockEntity } from '../../state/entity-lock.ts';
import { ownerText } from '../../state/import-lock.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import { ensureStateFolder, statePaths } from '../../state/state-folder.ts';
import { explainChangedSource } from './explain-changed-source.ts';
import { type EntityPlace, entityPlace, recordStep } from './entity-place.ts';
import { firstMistake, sourceSchema, validPlan } from './import-plan.ts';
import type { BuildWork, ImportWork, LockedWork } from './import-work.ts';
import { offerKeptRows } from './offer-kept-rows.ts';
import { openSources } from './open-sources.ts';
import { type PublishedGraph, buildAndPublish, buildInSource, fetchAndPublish } from './publish-graph.ts';

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
      return await buildAndPublish(work, { project, place, sources, plan, run, folder });
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
