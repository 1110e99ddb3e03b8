import { createHash, randomBytes } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { version } from '../../../package.json';
import type { Failure } from '../../../protocol/query-results.ts';
import type { ImportProgress, ImportSummary } from '../../../protocol/import-progress.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { Connector } from '../connectors/connector.ts';
import { type BuildFolder, createBuildFolder, removeOldRuns, runId } from '../import/build-folder.ts';
import { ImportError } from '../import/import-error.ts';
import { planImport } from '../import/plan-import.ts';
import { type ProgressReporter, createProgress } from '../import/progress.ts';
import { type ImportResult, type ImportSlice, runImport } from '../import/run-import.ts';
import { diagnoseEntityGraph } from '../language/diagnose.ts';
import {
  type GraphFile,
  type Project,
  type ProjectSurroundings,
  connectorOf,
  describeSource,
  openProject,
  stateFolderOf,
} from '../project/open-project.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { importDone, importEnded, importReached } from '../state/entity-status.ts';
import { acquireLock } from '../state/import-lock.ts';
import { ensureStateFolder, statePaths } from '../state/state-folder.ts';
import { readStatus, writeStatus } from '../state/status-file.ts';
import { toImportFailure } from './import-failure.ts';
import { problemFailure } from './operation-error.ts';

export interface ImportHereOptions extends ImportSlice {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
}

/** Imports in this process. Never rejects; a refused, failed or cancelled import changes the progress text alone. */
export async function importHere(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  options: ImportHereOptions,
): Promise<ImportSummary> {
  const started = new Date();
  const progress = createProgress(options.onProgress);
  const slice: ImportSlice = {
    ...(options.sample === undefined ? {} : { sample: options.sample }),
    ...(options.since === undefined ? {} : { since: options.since }),
  };
  const sliced = Object.keys(slice).length > 0 ? { slice } : {};
  const base = { type: 'summary', ...emptyResult, ...sliced } as const;
  const durationMs = (): number => Date.now() - started.getTime();
  const state: { place?: EntityPlace } = {};
  try {
    const { result, store } = await importLocked({ file, surroundings, options, progress, slice, started, state });
    progress.report('Import Done', 'Import Done');
    return { ...base, status: 'imported', store, ...result, durationMs: durationMs() };
  } catch (error) {
    const failedStep = progress.step;
    const status = options.signal.aborted ? 'cancelled' : 'failed';
    const failure = toImportFailure(error, file, options.signal);
    if (state.place) await recordEnd(state.place, status, progress, failure);
    return { ...base, status, durationMs: durationMs(), error: failure, failedStep };
  }
}

const emptyResult: ImportResult = {
  elements: [],
  relationships: [],
  totals: { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 },
  warnings: [],
};

/** Where the state of an entity graph is kept. */
interface EntityPlace {
  readonly stateFolder: string;
  readonly entity: string;
}

interface Work {
  readonly file: GraphFile;
  readonly surroundings: ProjectSurroundings;
  readonly options: ImportHereOptions;
  readonly progress: ProgressReporter;
  readonly slice: ImportSlice;
  readonly started: Date;
  /** Set once this import may write the entity's state. */
  readonly state: { place?: EntityPlace };
}

interface Finished {
  readonly result: ImportResult;
  readonly store: string;
}

async function importLocked(work: Work): Promise<Finished> {
  const { file, surroundings, progress, state } = work;
  progress.report('schema discovery', 'Reading the entity graph');
  const sourcesPlace = await openProject(file, surroundings).catch(async (error: unknown) => {
    // An unknown source is a mistake in the file: say so at its place.
    throw (await firstMistake(file, surroundings)) ?? error;
  });
  const stateFolder = stateFolderOf(sourcesPlace.sourcesFile.path);
  const entity = entityIdOf(file.path, dirname(stateFolder));
  await ensureStateFolder(stateFolder);
  const lock = await acquireLock(statePaths.lock(stateFolder, entity));
  if (lock.kind === 'busy') {
    const { pid, host, since } = lock.owner;
    throw new ImportError(
      'import-running',
      `${basename(file.path)} is being imported already, by process ${pid} on ${host} since ${since}.`,
      {
        remedy: 'Wait until it has finished, or cancel it.',
      },
    );
  }
  try {
    state.place = { stateFolder, entity };
    return await importProject(work, sourcesPlace, state.place);
  } finally {
    await lock.release();
  }
}

async function importProject(work: Work, project: Project, place: EntityPlace): Promise<Finished> {
  const { surroundings, options, progress } = work;
  const { signal } = options;
  const connector = await connectorOf(project.sourcesFile, project.source, surroundings);
  try {
    progress.report('schema discovery', `Reading the tables of ${project.source.name.value}`);
    await recordStep(place, progress);
    const syntax = project.parsed.problems;
    if (syntax.length > 0) throw problemFailure(syntax, project.file);
    const onProgress = (message: string): void => progress.report('schema discovery', message, 0.5);
    const catalog = await describeSource(project.sourcesFile, project.source, connector, { signal, onProgress });
    progress.report('validation', 'Checking the entity graph');
    const plan = validPlan(project, catalog);
    const run = runId(work.started, randomBytes(2).toString('hex'));
    const folder = await createBuildFolder(statePaths.graphs(place.stateFolder, place.entity), run);
    try {
      return await buildAndPublish(work, { project, place, connector, plan, run, folder });
    } finally {
      await folder.remove();
    }
  } finally {
    await connector.close();
  }
}

interface Build {
  readonly project: Project;
  readonly place: EntityPlace;
  readonly connector: Connector;
  readonly plan: ReturnType<typeof validPlan>;
  readonly run: string;
  readonly folder: BuildFolder;
}

async function buildAndPublish(work: Work, build: Build): Promise<Finished> {
  const { file, options, progress, slice, started } = work;
  const { project, place, connector, plan, run, folder } = build;
  await recordStep(place, progress);
  const result = await runImport({
    plan,
    connector,
    folder,
    slice,
    progress,
    signal: options.signal,
    run: {
      id: run,
      entity: place.entity,
      config: file.text,
      configHash: createHash('sha256').update(file.text).digest('hex'),
      dataSource: project.source.name.value,
      started: started.toISOString(),
      versions: { entityGraph: version, node: process.versions.node },
    },
  });
  const store = await folder.publish();
  try {
    const at = new Date().toISOString();
    const done = importDone({ at, run, store: basename(store), text: file.text });
    await writeStatus(place.stateFolder, place.entity, done);
  } catch (error) {
    const { rm } = await import('node:fs/promises');
    await rm(store, { force: true });
    throw error;
  }
  await removeOldRuns(dirname(store));
  return { result, store };
}

function validPlan(project: Project, catalog: Catalog) {
  const { file, parsed, sourcesFile } = project;
  if (parsed.graph.import.engine === 'source') {
    throw new ImportError('engine-unsupported', 'This version builds graphs with the embedded engine only.', {
      remedy: 'Remove engine: source, or set it to embedded.',
    });
  }
  const problems = diagnoseEntityGraph({ text: file.text, parsed, sources: sourcesFile.sources, catalog });
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw problemFailure(errors, file);
  const planned = planImport(parsed.graph, catalog);
  if ('problems' in planned) throw problemFailure(planned.problems, file);
  return planned.plan;
}

/** The first error in the file itself that needs no source to be found. */
async function firstMistake(file: GraphFile, surroundings: ProjectSurroundings): Promise<unknown> {
  const { findSources } = await import('../project/open-project.ts');
  const sourcesFile = await findSources(file.path, surroundings);
  if (!sourcesFile) return undefined;
  const problems = diagnoseEntityGraph({ text: file.text, sources: sourcesFile.sources });
  const errors = problems.filter(({ severity }) => severity === 'error');
  return errors.length > 0 ? problemFailure(errors, file) : undefined;
}

/** The progress text is a courtesy: an import does not fail for it. */
async function recordStep(place: EntityPlace, progress: ProgressReporter): Promise<void> {
  const before = await readStatus(place.stateFolder, place.entity);
  await writeStatus(place.stateFolder, place.entity, importReached(before, progress.step)).catch(() => undefined);
}

async function recordEnd(
  place: EntityPlace,
  outcome: 'failed' | 'cancelled',
  progress: ProgressReporter,
  failure: Failure,
): Promise<void> {
  const before = await readStatus(place.stateFolder, place.entity);
  const after = importEnded(before, outcome, progress.step, failure.message);
  await writeStatus(place.stateFolder, place.entity, after).catch(() => undefined);
}
