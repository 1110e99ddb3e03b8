import type { BuildDatabase } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { BuiltTable } from './build/compile-build.ts';
import { runStep } from './build/run-record.ts';
import { keepOrderStep } from './build/staging-steps.ts';
import { buildTables } from './build-graph.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { sliceOf } from './import-slice.ts';
import { commonRows } from './import-source.ts';
import type { MemoryStaging } from './memory-staging.ts';
import { pullPlan } from './pull-plan.ts';
import { createStepRunner } from './step-runner.ts';
import { withStaging } from './with-staging.ts';

/** What is read of a graph that is built in memory. */
export interface WantedGraph {
  /** Only these tables are built, with those that they are made of; default: all. */
  readonly tables?: ReadonlySet<BuiltTable> | undefined;
}

/**
 * Pulls and builds a graph in memory, and reads it before the database is closed. Nothing is counted for a report, and
 * the invariants of the graph, which hold for every build, are not checked: of a small graph that takes longer than to
 * build it. Rejects like `runImport`.
 * @param read gets the schema of the graph's tables. Its SQL runs without an optimizer until `withOptimizer`.
 */
export async function importInMemory<T>(
  job: ImportWithoutFiles,
  memory: MemoryStaging,
  wanted: WantedGraph,
  read: (graph: BuildDatabase, schema: string) => Promise<T>,
): Promise<T> {
  return withStaging({ ...memory, sources: job.sources }, async (staging) => {
    await buildIn(staging, job, wanted);
    return read(staging, duckdbBuild.graph);
  });
}

/**
 * Planning a statement takes longer than running it over a few rows. Only after the rows are pulled, and until rules are
 * judged: SQL of users runs as in an import.
 */
const withoutOptimizer = 'PRAGMA disable_optimizer';
export const withOptimizer = 'PRAGMA enable_optimizer';

async function buildIn(staging: BuildDatabase, job: ImportWithoutFiles, { tables }: WantedGraph): Promise<void> {
  const { request } = job;
  const runner = createStepRunner(staging, job.signal);
  const common = commonRows(job.sources);
  const pulled = await pullPlan(staging, runner, { ...job, withoutCounts: true }, undefined);
  if (!common.hasRowOrder) await runner.run(keepOrderStep);
  const work = { ...job, ...pulled, slice: sliceOf(request), dialect: duckdbBuild, ...common };
  await staging.runAll([withoutOptimizer]);
  await buildTables(runner, { ...work, tables, inOneCall: true });
  // Rules read when the run began.
  if (tables) return;
  const record = { ...job.run, counts: {}, warnings: [], steps: [], durationsMs: {} };
  await runner.run(runStep(duckdbBuild, record));
}
