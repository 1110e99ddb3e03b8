import { dirname } from 'node:path';
import type { ImportPlanView } from '../../../protocol/import-plan.ts';
import type { ImportProgress, ImportStep, ImportSummary } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { type GraphFile, type ProjectSurroundings, findSources, stateFolderOf } from '../project/open-project.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { importEnded } from '../state/entity-status.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { statePaths } from '../state/state-folder.ts';
import { readStatus, writeStatus } from '../state/status-file.ts';
import { removeLeftovers } from '../import/build-folder.ts';
import { engineFlags } from './engine-flags.ts';
import {
  type EditorMethods,
  type EngineJob,
  type EngineMethods,
  type EngineSurroundings,
  editorShapes,
} from './engine-methods.ts';
import { type ChildProcess, startChildProcess } from './rpc/child-process.ts';
import type { Answers } from './rpc/rpc-messages.ts';

export interface ChildImportOptions {
  readonly onProgress: (progress: ImportProgress) => void;
  readonly signal: AbortSignal;
  readonly request: ImportRequest;
}

/** How long a cancelled import may take to end by itself. */
const cancelGraceMs = 5_000;

/**
 * Imports in a process of its own. Never rejects: a process that dies gives a summary too, and what it left behind is
 * removed.
 */
export async function importInChildProcess(
  enginePath: string,
  file: GraphFile,
  surroundings: ProjectSurroundings,
  options: ChildImportOptions,
): Promise<ImportSummary> {
  const handed = await handedOver(file, surroundings);
  const { sourcesFile } = handed;
  const job: EngineJob = { ...handed, request: options.request };
  const begun = performance.now();
  const run = await runChild(enginePath, job, surroundings, options);
  if (run.summary) return run.summary;
  const cancelled = options.signal.aborted;
  const summary = endedSummary(run, cancelled, Math.round(performance.now() - begun));
  if (sourcesFile) await cleanUp(stateFolderOf(sourcesFile.path), file, summary, { ...options, pid: run.pid });
  return summary;
}

/** Plans an import in a process of its own. Rejects with `ProcessEnded` when it dies, and as aborted. */
export async function planInChildProcess(
  enginePath: string,
  file: GraphFile,
  surroundings: ProjectSurroundings,
  signal: AbortSignal,
): Promise<Outcome<ImportPlanView>> {
  const handed = await handedOver(file, surroundings);
  signal.throwIfAborted();
  const child = startEngine(enginePath, surroundings);
  const stopKilling = killAfterCancel(child, signal);
  void child.ended.then(stopKilling);
  return child.request('plan', handed, { signal });
}

async function handedOver(file: GraphFile, surroundings: ProjectSurroundings): Promise<EngineSurroundings> {
  const sourcesFile = await findSources(file.path, surroundings).catch(() => undefined);
  const workspaceFolder = surroundings.workspaceFolderOf?.(file.path);
  const network = await surroundings.readNetwork?.().catch(() => undefined);
  return {
    file,
    ...(sourcesFile && { sourcesFile: { path: sourcesFile.path, text: sourcesFile.text } }),
    ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
    ...(network === undefined ? {} : { network }),
  };
}

function startEngine(path: string, surroundings: ProjectSurroundings): ChildProcess<EngineMethods> {
  return startChildProcess<EngineMethods, EditorMethods>(
    { path, flags: engineFlags, environment: surroundings.environment },
    { shapes: editorShapes, answers: editorAnswers(surroundings) },
  );
}

interface ChildRun {
  /** Undefined when the process ended without one. */
  readonly summary: ImportSummary | undefined;
  readonly step: ImportStep;
  /** How the process ended: exit code or signal. */
  readonly end: string;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
}

async function runChild(
  enginePath: string,
  job: EngineJob,
  surroundings: ProjectSurroundings,
  { onProgress, signal }: ChildImportOptions,
): Promise<ChildRun> {
  const child = startEngine(enginePath, surroundings);
  let step: ImportStep = 'schema discovery';
  const stopKilling = killAfterCancel(child, signal);
  const importing = child.request('import', job, {
    signal,
    onProgress(progress) {
      step = progress.step;
      onProgress(progress);
    },
  });
  // Whether the request succeeds or fails, the process ends after it: what is known is how it ended.
  const summary = await importing.catch(() => undefined);
  const end = await child.ended;
  stopKilling();
  return { summary, step, end, pid: child.pid };
}

/** Kills a process that does not end in time after it was cancelled, until the returned function is called. */
function killAfterCancel(child: ChildProcess<EngineMethods>, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancelled = (): void => {
    timer = setTimeout(() => child.kill('SIGKILL'), cancelGraceMs);
  };
  if (signal.aborted) cancelled();
  else signal.addEventListener('abort', cancelled, { once: true });
  return () => {
    signal.removeEventListener('abort', cancelled);
    clearTimeout(timer);
  };
}

function editorAnswers({ readSecret, permitUses, tokens }: ProjectSurroundings): Answers<EditorMethods> {
  return {
    secret: ({ name, uses }) => readSecret(name, uses),
    permit: ({ uses }) => permitUses(uses),
    readToken: async ({ name }) => tokens?.read(name),
    writeToken: async ({ name, value }) => tokens?.write(name, value),
  };
}

function endedSummary({ step, end }: ChildRun, cancelled: boolean, durationMs: number): ImportSummary {
  const error = cancelled
    ? { code: 'cancelled', message: 'Cancelled.' }
    : {
        code: 'engine-crashed',
        message: `The process that built the graph ended unexpectedly (${end}).`,
        remedy:
          'The earlier graph is unchanged. If memory is short, close other programs or import a part of the data.',
      };
  return {
    type: 'summary',
    status: cancelled ? 'cancelled' : 'failed',
    elements: [],
    entities: [],
    relationships: [],
    totals: { events: 0, entities: 0, correlations: 0, relations: 0, directlyFollows: 0 },
    warnings: [],
    durationMs,
    error,
    failedStep: step,
  };
}

/** What the process would have done itself: its build goes, its lock frees itself, the status says what happened. */
async function cleanUp(
  stateFolder: string,
  file: GraphFile,
  summary: ImportSummary,
  { request, pid }: ChildImportOptions & Pick<ChildRun, 'pid'>,
): Promise<void> {
  const entity = entityIdOf(file.path, dirname(stateFolder));
  // Another window may be building the same graph.
  if (pid !== undefined) await removeBuildsOf(stateFolder, entity, pid).catch(() => undefined);
  // The graph in the source stands as it did.
  if (request.kind === 'fetch') return;
  const before = await readStatus(stateFolder, entity);
  const outcome = summary.status === 'cancelled' ? 'cancelled' : 'failed';
  const step = summary.failedStep ?? 'schema discovery';
  await writeStatus(stateFolder, entity, importEnded(before, outcome, step, summary.error?.message ?? '')).catch(
    () => undefined,
  );
}

async function removeBuildsOf(stateFolder: string, entity: string, pid: number): Promise<void> {
  await removeLeftovers(await insideStateFolder(stateFolder, statePaths.graphs(stateFolder, entity)), pid);
}
