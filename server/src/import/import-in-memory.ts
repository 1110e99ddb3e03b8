import type { BuildDatabase } from '../store/duckdb-store.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import { correlatingRelationships, mayCorrelateTwice } from './build/correlations.ts';
import { runStep } from './build/run-record.ts';
import { keepOrderStep } from './build/staging-steps.ts';
import { buildTables } from './build-graph.ts';
import { checkGraph } from './checks.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { sliceOf } from './import-slice.ts';
import { commonRows } from './import-source.ts';
import type { MemoryStaging } from './memory-staging.ts';
import { mayLackEntity } from './plan-import.ts';
import { pullPlan } from './pull-plan.ts';
import { createStepRunner } from './step-runner.ts';
import { withStaging } from './with-staging.ts';

/**
 * Pulls, builds and checks a graph in memory, and reads it before the database is closed. It has no process map, and
 * nothing is counted for a report: of a small graph that takes longer than to build it. Rejects like `runImport`.
 * @param read gets the schema of the graph's tables.
 */
export async function importInMemory<T>(
  job: ImportWithoutFiles,
  memory: MemoryStaging,
  read: (graph: BuildDatabase, schema: string) => Promise<T>,
): Promise<T> {
  return withStaging({ ...memory, sources: job.sources }, async (staging) => {
    await buildIn(staging, job);
    return read(staging, duckdbBuild.graph);
  });
}

async function buildIn(staging: BuildDatabase, job: ImportWithoutFiles): Promise<void> {
  const { plan, request } = job;
  const runner = createStepRunner(staging, job.signal);
  const common = commonRows(job.sources);
  const pulled = await pullPlan(staging, runner, { ...job, withoutNotes: true }, undefined);
  if (!common.hasRowOrder) await runner.run(keepOrderStep);
  const work = { ...job, ...pulled, slice: sliceOf(request), dialect: duckdbBuild, ...common };
  await buildTables(runner, { ...work, withoutProcessMap: true });
  const totals = await checkGraph(runner, {
    pulls: pulled.pulls,
    mayCorrelateTwice: mayCorrelateTwice(correlatingRelationships(pulled.relationships, plan.paths), pulled.elements),
    mayLackEntity: mayLackEntity(plan),
    dialect: duckdbBuild,
  });
  const record = { ...job.run, counts: { totals }, warnings: [], steps: [], durationsMs: {} };
  await runner.run(runStep(duckdbBuild, record));
}
