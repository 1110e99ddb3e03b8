import { dirname } from 'node:path';
import type { ImportPlanView } from '../../../protocol/import-plan.ts';
import type { ImportOutcome, ImportProgress, ImportStep, StoppedImport } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import type { Failure, Outcome } from '../../../protocol/query-results.ts';
import { removeLeftovers } from '../import/build-folder.ts';
import type { GraphTestReport } from '../operations/graph-tests/test-report.ts';
import { type GraphFile, type ProjectContext, findSources, stateFolderOf } from '../project/open-project.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { importEnded } from '../state/entity-status.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { statePaths } from '../state/state-folder.ts';
import { readStatus, writeStatus } from '../state/status-file.ts';
import {
  type ComparedTexts,
  type EditorMethods,
  type EngineContext,
  type EngineJob,
  type EngineMethods,
  editorShapes,
} from './engine-methods.ts';
import { type ChildProcess, startChildProcess } from './rpc/child-process.ts';
import type { Answers } from './rpc/rpc-messages.ts';

interface ChildImportOptions {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
  readonly request: ImportRequest;
}

/** Tests of a file, with the unsaved texts that count. */
export interface TestsJob {
  readonly file: GraphFile;
  readonly texts: readonly GraphFile[];
  /** Names of the tests to run; default: all. */
  readonly only?: readonly string[] | undefined;
  readonly isOnline?: boolean | undefined;
}

/** Time for a cancelled import to end by itself. */
const cancelGraceMs = 5_000;

/** The same while the graph takes its place: a publication inside a source is finished, or given up, within a minute. */
const publicationGraceMs = 90_000;

/**
 * Runs an import in a separate process. Never rejects: a killed process gives a summary too, and its temporary files
 * are deleted.
 */
export async function importInChildProcess(
  enginePath: string,
  file: GraphFile,
  projectContext: ProjectContext,
  options: ChildImportOptions,
): Promise<ImportOutcome> {
  const handed = await handedOver(file, projectContext);
  const { sourcesFile } = handed;
  const job: EngineJob = { ...handed, request: options.request };
  const begun = performance.now();
  const run = await runChild(enginePath, job, projectContext, options);
  if (run.outcome) return run.outcome;
  const stopped = endedImport(run, options.signal.aborted, Math.round(performance.now() - begun));
  if (sourcesFile) await cleanUp(stateFolderOf(sourcesFile.path), file, stopped, { ...options, pid: run.pid });
  return stopped;
}

/** Plans an import in a separate process. Rejects with `ProcessEnded` when it dies, and when aborted. */
export async function planInChildProcess(
  enginePath: string,
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
  onProgress?: (step: string) => void,
): Promise<Outcome<ImportPlanView>> {
  const handed = await handedOver(file, projectContext);
  signal.throwIfAborted();
  const child = startEngine(enginePath, projectContext);
  const stopKilling = killAfterCancel(child, signal);
  void child.ended.then(stopKilling);
  return child.request('plan', handed, { signal, onProgress });
}

/** Compares two texts in a separate process. Rejects with `ProcessEnded` when it dies, and when aborted. */
export async function compareInChildProcess(
  enginePath: string,
  file: GraphFile,
  texts: { readonly base: string; readonly isOffline: boolean; readonly keepsStores: boolean },
  projectContext: ProjectContext,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (step: string) => void },
): Promise<Outcome<ComparedTexts>> {
  const handed = await handedOver(file, projectContext);
  signal.throwIfAborted();
  const child = startEngine(enginePath, projectContext);
  const stopKilling = killAfterCancel(child, signal);
  void child.ended.then(stopKilling);
  return child.request('effect', { ...handed, ...texts }, { signal, onProgress });
}

/** Runs tests with given rows in a separate process. Rejects with `ProcessEnded` when it dies, and when aborted. */
export async function testInChildProcess(
  enginePath: string,
  tests: TestsJob,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<Outcome<GraphTestReport>> {
  const { sourcesFile: _, ...handed } = await handedOver(tests.file, projectContext);
  signal.throwIfAborted();
  const child = startEngine(enginePath, projectContext);
  const stopKilling = killAfterCancel(child, signal);
  void child.ended.then(stopKilling);
  const { texts, only, isOnline = false } = tests;
  return child.request('test', { ...handed, texts, only, isOnline }, { signal });
}

async function handedOver(file: GraphFile, projectContext: ProjectContext): Promise<EngineContext> {
  const sourcesFile = await findSources(file.path, projectContext).catch(() => undefined);
  const workspaceFolder = projectContext.workspaceFolderOf?.(file.path);
  const network = await projectContext.readNetwork?.().catch(() => undefined);
  return {
    file,
    sourcesFile: sourcesFile && { path: sourcesFile.path, text: sourcesFile.text },
    workspaceFolder,
    network,
  };
}

function startEngine(path: string, projectContext: ProjectContext): ChildProcess<EngineMethods> {
  return startChildProcess<EngineMethods, EditorMethods>(
    { path, flags: engineFlags, environment: projectContext.environment },
    { shapes: editorShapes, answers: editorAnswers(projectContext) },
  );
}

interface ChildRun {
  /** Undefined when the process ended without one. */
  readonly outcome: ImportOutcome | undefined;
  readonly step: ImportStep;
  /** Exit code or signal of the process. */
  readonly end: string;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
}

async function runChild(
  enginePath: string,
  job: EngineJob,
  projectContext: ProjectContext,
  { onProgress, signal }: ChildImportOptions,
): Promise<ChildRun> {
  const child = startEngine(enginePath, projectContext);
  let step: ImportStep = 'schema discovery';
  let isPublishing = false;
  const stopKilling = killAfterCancel(child, signal, () => (isPublishing ? publicationGraceMs : cancelGraceMs));
  const importing = child.request('import', job, {
    signal,
    onProgress(progress) {
      step = progress.step;
      isPublishing = progress.isPublishing === true;
      onProgress(progress);
    },
  });
  // The process exits after the request in any case, so its exit is awaited.
  const outcome = await importing.catch(() => undefined);
  const end = await child.ended;
  stopKilling();
  return { outcome, step, end, pid: child.pid };
}

/** Kills a cancelled process that does not end in time; the returned function disarms this. */
function killAfterCancel(
  child: ChildProcess<EngineMethods>,
  signal: AbortSignal,
  graceMs = (): number => cancelGraceMs,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancelled = (): void => {
    timer = setTimeout(() => child.kill('SIGKILL'), graceMs());
  };
  if (signal.aborted) cancelled();
  else signal.addEventListener('abort', cancelled, { once: true });
  return () => {
    signal.removeEventListener('abort', cancelled);
    clearTimeout(timer);
  };
}

function editorAnswers({ readSecret, permitUses, tokens }: ProjectContext): Answers<EditorMethods> {
  return {
    secret: ({ name, uses }) => readSecret(name, uses),
    permit: ({ uses }) => permitUses(uses),
    readToken: async ({ name }) => tokens?.read(name),
    writeToken: async ({ name, value }) => tokens?.write(name, value),
  };
}

function endedImport({ step, end }: ChildRun, cancelled: boolean, durationMs: number): StoppedImport {
  if (cancelled) {
    return { status: 'cancelled', durationMs, error: { code: 'cancelled', message: 'Cancelled.' }, failedStep: step };
  }
  const error: Failure = {
    code: 'engine-crashed',
    message: `The process that built the graph ended unexpectedly (${end}).`,
    remedy: 'The earlier graph is unchanged. If memory is short, close other programs or import a part of the data.',
  };
  return { status: 'failed', durationMs, error, failedStep: step };
}

/** Cleanup that the process could not do: deletes its build and updates the status; the lock frees itself. */
async function cleanUp(
  stateFolder: string,
  file: GraphFile,
  { status, error, failedStep }: StoppedImport,
  { request, pid }: ChildImportOptions & Pick<ChildRun, 'pid'>,
): Promise<void> {
  const entity = entityIdOf(file.path, dirname(stateFolder));
  // Another window may be building the same graph.
  if (pid !== undefined) await removeBuildsOf(stateFolder, entity, pid).catch(() => undefined);
  // The graph in the source is unchanged.
  if (request.kind === 'fetch') return;
  const before = await readStatus(stateFolder, entity);
  await writeStatus(stateFolder, entity, importEnded(before, status, failedStep, error)).catch(() => undefined);
}

async function removeBuildsOf(stateFolder: string, entity: string, pid: number): Promise<void> {
  await removeLeftovers(await insideStateFolder(stateFolder, statePaths.graphs(stateFolder, entity)), pid);
}

/**
 * V8 options of import processes. Fetched records are short-lived; by default V8 would reserve 32 MB for them, and let
 * survivors grow fourfold before a collection.
 */
export const engineFlags: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=30'];
