import type { RowExpectationResult } from '../../../protocol/import-progress.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { commonRows } from './import-source.ts';
import { type StagingPlace, openStaging } from './open-staging.ts';
import { type ExpectedRead, expectedOf } from './plan-expected-rows.ts';
import { pullPlan } from './pull-plan.ts';
import { judgeExpectations } from './row-expectations.ts';
import { createStepRunner } from './step-runner.ts';
import { withStaging } from './with-staging.ts';

/** A judged expectation of an entry, and the query that read its rows. */
export interface JudgedExpectation {
  readonly result: RowExpectationResult;
  readonly sql: string;
}

/**
 * Reads rows in one snapshot, as an import does, and judges their expectations without building a graph. Rejects like
 * `runImport`.
 */
export async function judgeSourceRows(
  reads: readonly ExpectedRead[],
  job: Omit<ImportWithoutFiles, 'plan'> & { readonly folder: StagingPlace },
): Promise<readonly JudgedExpectation[]> {
  const open = () => openStaging(job.folder);
  return withStaging({ ...job, open }, async (staging) => {
    const runner = createStepRunner(staging, job.signal);
    const plan = { elements: [], entities: reads.map((read) => read.plan), relationships: [], paths: [] };
    const { entities } = await pullPlan(staging, runner, { ...job, plan }, undefined);
    const place = { dialect: duckdbBuild, timeZone: commonRows(job.sources).timeZone };
    const judged: JudgedExpectation[] = [];
    const expected = reads.flatMap((read) => {
      const staged = entities.find(({ plan: { number } }) => number === read.plan.number);
      if (!staged) throw new Error(`The rows of ${read.plan.name} were not read.`);
      return expectedOf(read, staged);
    });
    for (const rows of expected) {
      job.progress.report('post-load checks', `Expectations of ${rows.name}`);
      const results = await judgeExpectations(runner, rows, place);
      judged.push(...results.map((result) => ({ result, sql: rows.query.sql })));
    }
    return judged;
  });
}
