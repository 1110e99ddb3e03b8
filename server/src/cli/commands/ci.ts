import { resolve } from 'node:path';
import { writeFileAtomic } from '../../files/write-atomic.ts';
import { checkFileTarget } from '../../files/write-target.ts';
import { type CiFile, failedSteps } from '../../operations/ci/ci-report.ts';
import { runCi } from '../../operations/ci/run-ci.ts';
import { type Command, type Invocation, UsageError, exitCodes, listedRows } from '../command.ts';
import { ciEffectMarkdown, ciJson, ciLines, ciMarkdown, ciSuites } from '../ci-output.ts';
import { findingProblems } from '../finding-problems.ts';
import { toJunit } from '../junit.ts';
import { shownPath } from '../print-problems.ts';
import { measureProblems } from '../print-measures.ts';
import { ruleProblems } from '../print-rules.ts';
import { testSarifFile } from '../print-tests.ts';
import { type SarifFile, toSarif } from '../sarif.ts';

/** Options that name a file for a report. */
const reportNames = ['sarif', 'junit', 'markdown', 'effect'] as const;

export const ciCommand: Command = {
  name: 'ci',
  operands: '[DIR]',
  summary: 'Validate, test, import and check all entity graphs of a folder, and write reports for build servers',
  arity: { min: 0, max: 1 },
  options: [
    { name: 'changed-since', value: 'REF', help: 'Only graphs that differ from this Git commit or branch' },
    { name: 'offline', help: 'Only validate, with cached catalogs, and run tests' },
    { name: 'online', help: 'Run the SQL of tests in the database servers, too, on the given rows' },
    { name: 'strict', help: 'Warnings fail, too' },
    { name: 'allow-not-run', help: 'Tests that cannot be run here do not fail' },
    { name: 'sarif', value: 'FILE', help: 'Write problems, broken rules, findings and failed tests as SARIF 2.1.0' },
    { name: 'junit', value: 'FILE', help: 'Write all steps as a JUnit report' },
    { name: 'markdown', value: 'FILE', help: 'Write a summary for the page of the build' },
    {
      name: 'effect',
      value: 'FILE',
      help: 'Write what the graphs do otherwise than at --base, as Markdown for a comment',
    },
    { name: 'base', value: 'REF', help: 'The Git commit or branch for --effect' },
    {
      name: 'rows',
      help: `List rows in --effect, at most ${listedRows} of each number: their keys and values are written`,
    },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json'] },
  ],
  examples: [
    'entity-graph ci',
    'entity-graph ci --effect effect.md --base origin/main',
    'entity-graph ci graphs --changed-since origin/main --sarif problems.sarif --junit steps.xml',
  ],
  async run(invocation) {
    const { operands, options, projectContext, signal, terminal, format } = invocation;
    const runsTestsOnline = options['online'] === 'true';
    if (runsTestsOnline && options['offline'] === 'true') {
      throw new UsageError('--online runs tests in the data sources, and --offline contacts none: leave one out.');
    }
    const effect = effectOptions(invocation);
    const targets = await reportTargets(invocation);
    const report = await runCi(resolve(operands[0] ?? '.'), projectContext, {
      online: options['offline'] !== 'true',
      runsTestsOnline,
      isStrict: options['strict'] === 'true',
      mayNotRunTests: options['allow-not-run'] === 'true',
      changedSince: options['changed-since'],
      effect,
      signal,
      onProgress: (step) => terminal.progress(step, undefined),
    });
    terminal.endProgress();
    const contents = {
      sarif: () => JSON.stringify(toSarif(report.files.map(sarifFile)), null, 2),
      junit: () => toJunit(ciSuites(report)),
      markdown: () => ciMarkdown(report),
      effect: () => ciEffectMarkdown(report),
    };
    for (const { name, path } of targets) await writeFileAtomic(path, contents[name]());
    if (format === 'json') terminal.document(JSON.stringify(ciJson(report), null, 2));
    else for (const line of ciLines(report)) terminal.result(line);
    if (!report.files.some(({ kind }) => kind === 'graph') && report.unchanged === 0) {
      // Nothing was checked: that must not look like success.
      terminal.note(`There is no entity graph (*.entity.yaml) in ${shownPath(report.folder)}.`);
      return exitCodes.problems;
    }
    return failedSteps(report) > 0 ? exitCodes.problems : exitCodes.fine;
  },
};

function effectOptions({
  options,
}: Invocation): { readonly base: string; readonly rows: number | undefined } | undefined {
  const { effect, base, rows, offline } = options;
  if (effect === undefined) {
    const [lonely] = [base === undefined ? [] : ['--base'], rows === undefined ? [] : ['--rows']].flat();
    if (lonely !== undefined) throw new UsageError(`${lonely} needs --effect FILE, where the effect is written.`);
    return undefined;
  }
  if (offline === 'true') throw new UsageError('--effect builds graphs, and --offline does not: leave one out.');
  if (base === undefined || base.trim() === '')
    throw new UsageError('--effect needs --base, the commit or branch to compare with, such as --base origin/main.');
  return { base, rows: rows === 'true' ? listedRows : undefined };
}

/** The files to write, checked before the work begins. */
async function reportTargets({
  options,
}: Invocation): Promise<readonly { readonly name: (typeof reportNames)[number]; readonly path: string }[]> {
  const targets = reportNames.flatMap((name) => {
    const path = options[name];
    return path === undefined ? [] : [{ name, path: resolve(path) }];
  });
  return Promise.all(targets.map(async ({ name, path }) => ({ name, path: (await checkFileTarget(path)).real })));
}

/** The problems of a file, the rules that its graph breaks, the targets that it misses, what is odd in its data, and the tests that fail. */
function sarifFile({ validated, judged, found, tests }: CiFile): SarifFile {
  if (tests) return testSarifFile(tests);
  return {
    ...validated,
    problems: [
      ...validated.problems,
      ...(judged ? [...ruleProblems(judged), ...measureProblems(judged)] : []),
      ...(found ? findingProblems(validated.text, found) : []),
    ],
  };
}
