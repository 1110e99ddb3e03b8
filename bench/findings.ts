import type { FindingKind } from '../protocol/shapes/finding-shapes.ts';
import { cleanLog, cleanShapes } from '../test/support/generated-log.ts';
import { injections } from '../test/support/inject-oddities.ts';
import { findingsOf, injected, injectedExamples, score } from '../test/support/score-findings.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';

/** Logs of each share that is injected. */
const seedsOf = new Map(
  isQuick
    ? [[0.05, 4]]
    : [
        [0.05, 20],
        [0.2, 20],
        [0.01, 20],
      ],
);
const cleanSeeds = isQuick ? 1 : 5;
const goal = 0.9;

/** Precision and recall of findings that are injected into clean logs. */
export async function run(): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  let clean = 0;
  for (const shape of cleanShapes) {
    for (let seed = 1; seed <= cleanSeeds; seed += 1) {
      const findings = await findingsOf(cleanLog(shape, seed), shape);
      clean += findings.filter(({ severity }) => severity === 'warning').length;
    }
  }
  results.push({
    name: `warnings in ${cleanShapes.length * cleanSeeds} clean logs`,
    ...{ unit: '', value: clean, goal: '0', ok: clean === 0 },
  });
  for (const [share, seeds] of seedsOf) {
    for (const kind of Object.keys(injections) as FindingKind[]) results.push(...(await ratesOf(kind, share, seeds)));
  }
  return results;
}

async function ratesOf(kind: FindingKind, share: number, seeds: number): Promise<readonly BenchResult[]> {
  let [found, told, right, wrong, examples, rightExamples] = [0, 0, 0, 0, 0, 0];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const log = await injected(kind, share, seed);
    const scored = score(kind, log);
    found += scored.right.length > 0 ? 1 : 0;
    told += log.findings.some((finding) => finding.kind === kind) ? 1 : 0;
    right += scored.right.length;
    wrong += scored.wrong.length;
    for (const finding of scored.right) {
      examples += finding.examples.length;
      rightExamples += injectedExamples(finding, log.rows);
    }
    for (const finding of scored.wrong)
      console.log(`  ${kind} ${share}, seed ${seed}: ${finding.kind}: ${finding.message}`);
    if (scored.right.length === 0) console.log(`  ${kind} ${share}, seed ${seed}, ${log.shape.name}: not found`);
  }
  const recall = found / seeds;
  const precision = right + wrong === 0 ? 0 : right / (right + wrong);
  console.log(
    `| ${kind} | ${share * 100} % | ${(told / seeds).toFixed(2)} | ${recall.toFixed(2)} | ${precision.toFixed(2)} | ${(rightExamples / Math.max(1, examples)).toFixed(2)} |`,
  );
  const isJudged = share === 0.05;
  return [
    {
      name: `${kind} at ${share * 100} %, recall`,
      unit: '',
      value: recall,
      goal: isJudged ? '≥ 0.9' : '',
      ok: !isJudged || recall >= goal,
    },
    {
      name: `${kind} at ${share * 100} %, precision`,
      unit: '',
      value: precision,
      goal: isJudged ? '≥ 0.9' : '',
      ok: !isJudged || precision >= goal,
    },
  ];
}
