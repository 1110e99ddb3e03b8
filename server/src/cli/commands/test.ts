import { resolve } from 'node:path';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import { updateExpectations } from '../../operations/graph-tests/update-expectations.ts';
import { runGraphTests } from '../../operations/graph-tests/run-graph-tests.ts';
import type { GraphTestReport } from '../../operations/graph-tests/test-report.ts';
import { listTestFiles } from '../../project/list-entity-files.ts';
import { stat } from 'node:fs/promises';
import { type Command, exitCodes } from '../command.ts';
import { toJunit } from '../junit.ts';
import { shownPath } from '../print-problems.ts';
import { testReportJson, testReportLines, testSarifFile, testSuites, totalLine } from '../print-tests.ts';
import { toSarif } from '../sarif.ts';

export const testCommand: Command = {
  name: 'test',
  operands: '[DIR|FILE…]',
  summary: 'Run tests with given rows: *.entity.test.yaml',
  get details() {
    return [
      'DIR: every file of tests in and below it (default: the current folder). No server is contacted, unless --online is given.',
      `--online runs the SQL of database servers (${onlineKinds()}) in the data source, read-only, on the given rows: none of its rows is read.`,
      '--update leaves eventsInclude alone, and tests with other mistakes.',
      'A test that cannot be run here makes the command fail, unless --allow-not-run is given.',
    ];
  },
  arity: { min: 0, max: Infinity },
  takesTests: true,
  options: [
    { name: 'update', help: 'Replace failed expectations with the actual result, then run again' },
    { name: 'online', help: 'Run the SQL of database servers in the data source, on the given rows' },
    { name: 'allow-not-run', help: 'Exit with 0 although tests could not be run here' },
    { name: 'format', value: 'FORMAT', help: 'How to print the result', choices: ['text', 'json', 'sarif', 'junit'] },
  ],
  examples: [
    'entity-graph test',
    'entity-graph test --online shop.entity.test.yaml',
    'entity-graph test samples --format junit > tests.xml',
  ],
  async run({ operands, options, projectContext, signal, terminal, format }) {
    keepToOneThread();
    const reports: GraphTestReport[] = [];
    const run = (path: string): Promise<GraphTestReport> =>
      runGraphTests(path, projectContext, { signal, isOnline: options['online'] === 'true' });
    for (const path of await filesOf(operands)) {
      const first = await run(path);
      const updates = options['update'] === 'true' ? await updateExpectations(first) : 0;
      if (updates > 0)
        terminal.note(`${shownPath(path)}: ${updates === 1 ? '1 expectation' : `${updates} expectations`} updated.`);
      const report = updates > 0 ? await run(path) : first;
      reports.push(report);
      if (format === 'text') for (const line of testReportLines(report)) terminal.result(line);
    }
    if (format === 'json') terminal.document(JSON.stringify(reports.map(testReportJson), null, 2));
    if (format === 'sarif') terminal.document(JSON.stringify(toSarif(reports.map(testSarifFile)), null, 2));
    if (format === 'junit') terminal.document(toJunit(testSuites(reports)).trimEnd());
    if (format === 'text') terminal.result(totalLine(reports));
    return exitCodeOf(reports, options['allow-not-run'] === 'true');
  },
};

/** The source kinds whose servers can run the SQL of tests. */
function onlineKinds(): string {
  const kinds = sourceKinds().filter(({ capabilities }) => capabilities.runsGivenRows);
  return kinds.map(({ label }) => label).join(', ');
}

/**
 * Statements of tests are small and run one after another, which takes a tenth less processor time when all of them run
 * in the same thread. Node.js reads this when it starts its threads, which most programs do later than here.
 */
function keepToOneThread(): void {
  process.env['UV_THREADPOOL_SIZE'] ??= '1';
}

/** A run without any tests is a failure. */
function exitCodeOf(
  reports: readonly GraphTestReport[],
  mayNotRun: boolean,
): typeof exitCodes.fine | typeof exitCodes.problems {
  const tests = reports.flatMap((report) => report.tests);
  const isFine = ({ outcome }: (typeof tests)[number]): boolean =>
    outcome === 'passed' || (outcome === 'not run' && mayNotRun);
  const areFine = tests.length > 0 && tests.every(isFine) && reports.every(({ problems }) => problems.length === 0);
  return areFine ? exitCodes.fine : exitCodes.problems;
}

async function filesOf(operands: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const operand of operands.length > 0 ? operands : ['.']) {
    const path = resolve(operand);
    const isFolder = await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    found.push(...(isFolder ? await listTestFiles(path) : [path]));
  }
  return [...new Set(found)];
}
