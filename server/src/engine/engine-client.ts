import { type ChildProcess, fork } from 'node:child_process';
import { dirname } from 'node:path';
import type { ImportProgress, ImportStep, ImportSummary } from '../../../protocol/import-progress.ts';
import type { ImportRequest } from '../../../protocol/import-request.ts';
import { type GraphFile, type ProjectSurroundings, findSources, stateFolderOf } from '../project/open-project.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { importEnded } from '../state/entity-status.ts';
import { insideStateFolder } from '../state/inside-state-folder.ts';
import { statePaths } from '../state/state-folder.ts';
import { readStatus, writeStatus } from '../state/status-file.ts';
import { removeLeftovers } from '../import/build-folder.ts';
import { engineFlags } from './engine-flags.ts';
import type { EngineAnswer, EngineJob, EngineQuestion, FromEngine, ToEngine } from './engine-messages.ts';

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
  const sourcesFile = await findSources(file.path, surroundings).catch(() => undefined);
  const workspaceFolder = surroundings.workspaceFolderOf?.(file.path);
  const network = await surroundings.readNetwork?.().catch(() => undefined);
  const job: EngineJob = {
    file,
    request: options.request,
    openTexts: sourcesFile ? { [sourcesFile.path]: sourcesFile.text } : {},
    ...(workspaceFolder === undefined ? {} : { workspaceFolder }),
    ...(network === undefined ? {} : { network }),
  };
  const begun = performance.now();
  const run = await runChild(enginePath, job, surroundings, options);
  if (run.summary) return run.summary;
  const cancelled = options.signal.aborted;
  const summary = endedSummary(run, cancelled, Math.round(performance.now() - begun));
  if (sourcesFile) await cleanUp(stateFolderOf(sourcesFile.path), file, summary, { ...options, pid: run.pid });
  return summary;
}

interface ChildRun {
  readonly summary?: ImportSummary;
  readonly step: ImportStep;
  /** How the process ended: exit code or signal. */
  readonly end: string;
  /** Absent when it could not be started. */
  readonly pid: number | undefined;
}

function runChild(
  enginePath: string,
  job: EngineJob,
  surroundings: ProjectSurroundings,
  { onProgress, signal }: ChildImportOptions,
): Promise<ChildRun> {
  const child = fork(enginePath, [], {
    env: { ...surroundings.environment },
    execArgv: [...engineFlags],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new Promise((resolve) => {
    let step: ImportStep = 'schema discovery';
    let summary: ImportSummary | undefined;
    const stopCancelling = cancelOnAbort(child, signal);
    const end = (how: string): void => {
      stopCancelling();
      resolve({ step, end: how, pid: child.pid, ...(summary ? { summary } : {}) });
    };
    child.on('message', (message: FromEngine) => {
      if (message.kind === 'ask') void answer(child, message, surroundings);
      else if (message.message.type === 'summary') summary = message.message;
      else {
        step = message.message.step;
        onProgress(message.message);
      }
    });
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, by) => end(by ?? `exit code ${code}`));
    send(child, { kind: 'import', job });
  });
}

function cancelOnAbort(child: ChildProcess, signal: AbortSignal): () => void {
  let timer: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    send(child, { kind: 'cancel' });
    timer = setTimeout(() => child.kill('SIGKILL'), cancelGraceMs);
  };
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return () => {
    signal.removeEventListener('abort', cancel);
    clearTimeout(timer);
  };
}

async function answer(
  child: ChildProcess,
  { request, question }: Extract<FromEngine, { kind: 'ask' }>,
  surroundings: ProjectSurroundings,
): Promise<void> {
  const found = await answerTo(question, surroundings).catch(() => ({}));
  send(child, { kind: 'answer', request, ...found });
}

async function answerTo(
  question: EngineQuestion,
  { readSecret, permitUses, tokens }: ProjectSurroundings,
): Promise<EngineAnswer> {
  const withValue = (value: string | undefined): EngineAnswer => (value === undefined ? {} : { value });
  switch (question.kind) {
    case 'permit':
      return { refused: await permitUses(question.uses) };
    case 'secret':
      return withValue(await readSecret(question.name, question.uses));
    case 'token':
      return withValue(await tokens?.read(question.name));
    case 'keep token':
      await tokens?.write(question.name, question.value);
      return {};
  }
}

function send(child: ChildProcess, message: ToEngine): void {
  if (child.connected) child.send(message);
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
