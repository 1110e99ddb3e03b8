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

/** The part of a graph that is built in memory and read. */
interface WantedGraph {
  /** Builds only these tables and the tables that they are built from; default: all. */
  readonly tables?: ReadonlySet<BuiltTable> | undefined;
}

/**
 * Pulls and builds a graph in memory, and reads it before the database is closed. Makes no counts for reports, and
 * skips the checks of invariants, which hold for every build: for a small graph, these would take longer than the
 * build. Rejects like `runImport`.
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
 * Optimizing a statement takes longer than running it over a few rows. The optimizer is off only between the pull and
 * the judging of rules, so that SQL of users runs as in an import.
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
  // Rules read the start time of the run.
  if (tables) return;
  const record = { ...job.run, counts: {}, warnings: [], steps: [], durationsMs: {} };
  await runner.run(runStep(duckdbBuild, record));
}
