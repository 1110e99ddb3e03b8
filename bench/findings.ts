import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FindingKind } from '../protocol/shapes/finding-shapes.ts';
import { type LogShape, logAtTimes } from '../test/support/generated-log.ts';
import { injections } from '../test/support/inject-oddities.ts';
import {
  type CleanLog,
  findingsOf,
  generatedLogs,
  injected,
  injectedExamples,
  score,
} from '../test/support/score-findings.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';

/** The first seed: others than those with which thresholds were chosen, which began at 1. */
const firstSeed = Number(process.env['FINDINGS_SEED'] ?? 5_001);
/** Of each share that is injected. */
const seedsOf = new Map(
  isQuick
    ? [[0.05, 4]]
    : [
        [0.05, 20],
        [0.01, 5],
        [0.2, 5],
      ],
);
/** Only these, if given: kinds, and 'clean'. */
const chosenKinds = process.env['FINDINGS_KINDS']?.split(',');
const cleanSeeds = isQuick ? 1 : 3;
const goal = 0.9;

/** Precision and recall of findings that are injected into clean logs. */
export async function run(): Promise<readonly BenchResult[]> {
  const logs = [...generatedLogs, ...(await realLogs())];
  const results: BenchResult[] = chosenKinds?.includes('clean') === false ? [] : [await inCleanLogs(logs)];
  const kinds = (Object.keys(injections) as FindingKind[]).filter((kind) => !chosenKinds || chosenKinds.includes(kind));
  console.log('| kind | share | told | recall | precision | examples |\n|---|---|---|---|---|---|');
  for (const [share, seeds] of seedsOf)
    for (const kind of kinds) results.push(...(await ratesOf(kind, { share, seeds }, logs)));
  return results;
}

/** The activities of generated logs at the times of real ones: the incidents sample, and logs of the folder `FINDINGS_LOGS`. */
async function realLogs(): Promise<readonly CleanLog[]> {
  const real = (name: string, times: readonly (readonly number[])[], shape: Partial<LogShape> = {}): CleanLog => ({
    shape: { name, cases: 600, days: 365, wait: 1, spread: 1, precisionMs: 60_000, ...shape },
    rows: (_shape, seed) => logAtTimes(times, 600, seed),
  });
  const sample = await readFile('samples/incidents/data/incident_event_log.csv', 'utf8');
  const folder = process.env['FINDINGS_LOGS'];
  const read = async (name: string): Promise<string> =>
    gunzipSync(await readFile(join(folder ?? '', name))).toString('utf8');
  return [
    real('times of the incidents sample', timesOf(sample, 'number', 'sys_updated_at')),
    ...(folder === undefined
      ? []
      : [
          real('times of UCI 498', timesOf(await read('incident_event_log_120k.csv.gz'), 'number', 'sys_updated_at'), {
            isOneTable: true,
          }),
          real('times of BPIC 2013', timesOf(await read('bpic13_volvo_vinst.csv.gz'), 'SR Number', 'Change Date+Time')),
        ]),
  ];
}

/** The times of the events of each case of a log whose texts have no commas in quotes before these columns. */
function timesOf(csv: string, caseColumn: string, timeColumn: string): readonly (readonly number[])[] {
  const [header = '', ...lines] = csv.replace(/^\uFEFF/u, '').split(/\r?\n/);
  const columns = header.split(',');
  const [key, time] = [columns.indexOf(caseColumn), columns.indexOf(timeColumn)];
  const cases = new Map<string, number[]>();
  for (const line of lines) {
    const cells = line.split(',');
    const at = timeAt(cells[time] ?? '');
    if (Number.isNaN(at)) continue;
    const name = cells[key] ?? '';
    cases.set(name, [...(cases.get(name) ?? []), at]);
  }
  return [...cases.values()];
}

/** Such as `29/2/2016 01:16` or with a zone. */
function timeAt(text: string): number {
  const [, day, month, year, hour, minute] = /^(\d+)[/-](\d+)[/-](\d{4}) (\d+):(\d+)$/.exec(text) ?? [];
  return day === undefined
    ? Date.parse(text)
    : Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
}

async function inCleanLogs(logs: readonly CleanLog[]): Promise<BenchResult> {
  let [clean, count] = [0, 0];
  for (const log of logs) {
    for (let seed = firstSeed; seed < firstSeed + cleanSeeds; seed += 1) {
      const findings = await findingsOf(log.rows(log.shape, seed), log.shape);
      const warnings = findings.filter(({ severity }) => severity === 'warning');
      for (const { kind, message } of warnings)
        console.log(`  clean, ${log.shape.name}, seed ${seed}: ${kind}: ${message}`);
      clean += warnings.length;
      count += 1;
    }
  }
  return { name: `warnings in ${count} clean logs`, unit: '', value: clean, goal: '0', ok: clean === 0 };
}

async function ratesOf(
  kind: FindingKind,
  { share, seeds }: { readonly share: number; readonly seeds: number },
  logs: readonly CleanLog[],
): Promise<readonly BenchResult[]> {
  let [found, told, right, wrong, examples, rightExamples] = [0, 0, 0, 0, 0, 0];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed += 1) {
    const log = await injected(kind, share, seed, logs);
    const scored = score(kind, log);
    const about = `  ${kind} ${share}, seed ${seed}, ${log.shape.name}${log.shape.key ? `, ${log.shape.key}` : ''}`;
    found += scored.right.length > 0 ? 1 : 0;
    told += scored.told.length > 0 ? 1 : 0;
    right += scored.right.length;
    wrong += scored.wrong.length;
    for (const finding of scored.right) {
      examples += finding.examples.length;
      rightExamples += injectedExamples(finding, log.rows);
    }
    for (const finding of scored.wrong) console.log(`${about}: wrong: ${finding.kind}: ${finding.message}`);
    if (scored.right.length === 0) console.log(`${about}: not found${scored.told.length > 0 ? ', but told' : ''}`);
  }
  const recall = found / seeds;
  const precision = right + wrong === 0 ? 0 : right / (right + wrong);
  console.log(
    `| ${kind} | ${share * 100} % | ${(told / seeds).toFixed(2)} | ${recall.toFixed(2)} | ${precision.toFixed(2)} | ${(rightExamples / Math.max(1, examples)).toFixed(2)} |`,
  );
  const isJudged = share === 0.05;
  const rate = (name: string, value: number): BenchResult => ({
    name: `${kind} at ${share * 100} %, ${name}`,
    ...{ unit: '', value, goal: isJudged ? '≥ 0.9' : '', ok: !isJudged || value >= goal },
  });
  return [rate('recall', recall), rate('precision', precision)];
}
