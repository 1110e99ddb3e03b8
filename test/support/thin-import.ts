import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import type { BuildRequest } from '../../protocol/import-request.ts';
import { duckdbBuild } from '../../server/src/import/build/build-dialect.ts';
import { keepOrderStep, rowsDatabase } from '../../server/src/import/build/staging-steps.ts';
import type { ImportWithoutFiles } from '../../server/src/import/import-job.ts';
import { isWhole } from '../../server/src/import/import-slice.ts';
import { commonRows } from '../../server/src/import/import-source.ts';
import { createMemoryStaging, type MemoryStaging } from '../../server/src/import/memory-staging.ts';
import { createProgress } from '../../server/src/import/progress.ts';
import { pullPlan } from '../../server/src/import/pull-plan.ts';
import { buildPulled } from '../../server/src/import/run-import.ts';
import { createStepRunner } from '../../server/src/import/step-runner.ts';
import { withStaging } from '../../server/src/import/with-staging.ts';
import { toImportFailure } from '../../server/src/operations/imports/import-failure.ts';
import { firstMistake, sourceSchema, validPlan } from '../../server/src/operations/imports/import-plan.ts';
import { openSources } from '../../server/src/operations/imports/open-sources.ts';
import { runVersions } from '../../server/src/operations/imports/run-versions.ts';
import { judgeGraphBy } from '../../server/src/process-rules/judge-rules.ts';
import { judgedGraphTables } from '../../server/src/process-rules/judged-graph-tables.ts';
import { judgedStore } from '../../server/src/process-rules/judged-store.ts';
import { recordMeasures } from '../../server/src/process-rules/record-measures.ts';
import { recordRules } from '../../server/src/process-rules/record-rules.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../server/src/project/open-project.ts';
import type { BuildDatabase, DuckDbSession } from '../../server/src/store/duckdb-store.ts';

/** A graph in memory, and what its import says. */
export interface ThinImport {
  readonly outcome: ImportOutcome;
  /** The graph, which is open until `close`; undefined unless imported. */
  readonly store: DuckDbSession | undefined;
  close(): Promise<void>;
}

export interface ThinImportOptions {
  readonly request?: BuildRequest | undefined;
  /** Builds the tables of the process map, too. */
  readonly map?: boolean | undefined;
}

/**
 * Imports a graph in memory, without a lock, a row cache, a status or a file, by the same compiled steps as a real
 * import: the same pull, statements, counts, checks, notes, rules and measures. Never rejects.
 */
export async function thinImport(
  file: GraphFile,
  projectContext: ProjectContext,
  { request = { kind: 'build' }, map = false }: ThinImportOptions = {},
): Promise<ThinImport> {
  const { signal } = new AbortController();
  const progress = createProgress(() => undefined);
  const begun = performance.now();
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closing.splice(0).reverse()) await each();
  };
  try {
    const project = await openProject(file, projectContext);
    const mistake = firstMistake(file, project.parsed, project.sourcesFile);
    if (mistake) throw mistake;
    progress.report('schema discovery', '');
    const opened = await openSources(project, projectContext, { signal, mayReuse: request.isFull !== true });
    closing.push(opened.close);
    progress.report('validation', '');
    if (sourceSchema(project, opened.sources[0].connector) !== undefined) {
      throw new Error('A thin import builds in memory, and this graph is built inside its source.');
    }
    const plan = validPlan(project, opened.catalog);
    const { sources } = opened;
    const run = {
      id: 'thin',
      entity: 'graph',
      config: file.text,
      configHash: '',
      dataSource: project.source.name.value,
      started: new Date().toISOString(),
      versions: runVersions,
    };
    const memory = freeEngine();
    closing.push(async () => void free.push(memory));
    const { staging, release } = await openedStaging(memory, sources);
    closing.push(release);
    const runner = createStepRunner(staging, signal);
    const job: ImportWithoutFiles = { plan, sources, signal, request, progress, run };
    const pulled = await pullPlan(staging, runner, job, undefined);
    if (!commonRows(sources).hasRowOrder) await runner.run(keepOrderStep);
    const built = await buildPulled(runner, job, pulled, { withoutMap: !map, inOneCall: true });
    await staging.runAll([`USE ${duckdbBuild.graph}`, `DETACH ${rowsDatabase}`]);
    const { rules, measures } = isWhole(request) ? project.parsed.graph : { rules: [], measures: [] };
    const judged = rules.length > 0 ? await judge(staging, rules, signal) : undefined;
    const measured = measures.length > 0 ? await measure(staging, measures, signal) : undefined;
    const durationMs = Math.round(performance.now() - begun);
    const outcome: ImportOutcome = {
      status: 'imported',
      store: '',
      ...built,
      rules: judged,
      measures: measured,
      durationMs,
    };
    return { outcome, store: staging, close };
  } catch (error) {
    await close();
    const durationMs = Math.round(performance.now() - begun);
    const failure = toImportFailure(error, file, signal);
    return {
      outcome: { status: 'failed', durationMs, error: failure, failedStep: progress.step },
      store: undefined,
      close,
    };
  }
}

/** Engines that no graph uses now. Only one graph at a time is in an engine. */
const free: MemoryStaging[] = [];

function freeEngine(): MemoryStaging {
  const engine = free.pop();
  if (engine) return engine;
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-thin-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return createMemoryStaging(folder, [tmpdir()]);
}

/** A staging database that stays open until it is released. */
async function openedStaging(
  memory: MemoryStaging,
  sources: ImportWithoutFiles['sources'],
): Promise<{ readonly staging: BuildDatabase; release(): Promise<void> }> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return new Promise((resolve, reject) => {
    const closed = withStaging({ ...memory, sources }, async (staging) => {
      resolve({
        staging,
        async release() {
          release();
          await closed;
        },
      });
      await released;
    });
    closed.catch(reject);
  });
}

async function judge(
  staging: DuckDbSession,
  rules: Parameters<typeof judgeGraphBy>[0],
  signal: AbortSignal,
): ReturnType<typeof judgeGraphBy> {
  const graph = await judgedGraphTables(staging, { signal });
  const known = { ...judgedStore(staging), tables: async () => graph };
  return recordRules(staging, { rules, graph, results: await judgeGraphBy(rules, known, { signal }) }, { signal });
}

async function measure(
  staging: DuckDbSession,
  measures: Parameters<typeof recordMeasures>[0],
  signal: AbortSignal,
): ReturnType<typeof recordMeasures> {
  const graph = await judgedGraphTables(staging, { signal });
  return recordMeasures(measures, graph, judgedStore(staging), { signal });
}
