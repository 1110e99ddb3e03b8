import type { RowExpectationResult } from '../../../protocol/import-progress.ts';
import { duckdbBuild } from './build/build-dialect.ts';
import { expectedRows } from './build/expectation-counts.ts';
import type { ImportWithoutFiles } from './import-job.ts';
import { commonRows } from './import-source.ts';
import { type StagingPlace, openStaging } from './open-staging.ts';
import { pullPlan } from './pull-plan.ts';
import { judgeExpectations } from './row-expectations.ts';
import { createStepRunner } from './step-runner.ts';
import { withStaging } from './with-staging.ts';

/**
 * Reads the rows of a plan in one snapshot, as an import does, and judges what is expected of them. No graph is built.
 * Rejects like `runImport`.
 */
export async function judgeSourceRows(
  job: ImportWithoutFiles & { readonly folder: StagingPlace },
): Promise<readonly RowExpectationResult[]> {
  const open = () => openStaging(job.folder);
  return withStaging({ ...job, open }, async (staging) => {
    const runner = createStepRunner(staging, job.signal);
    const { elements, entities } = await pullPlan(staging, runner, job, undefined);
    const place = { dialect: duckdbBuild, timeZone: commonRows(job.sources).timeZone };
    const results: RowExpectationResult[] = [];
    for (const rows of expectedRows(elements, entities)) {
      job.progress.report('post-load checks', `Expectations of ${rows.name}`);
      results.push(...(await judgeExpectations(runner, rows, place)));
    }
    return results;
  });
}
