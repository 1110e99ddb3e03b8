import { escapeForComment } from '../../../protocol/escape-markdown.ts';
import type { CiFile, CiReport, CiStep, CiStepName } from '../operations/ci/ci-report.ts';
import { failedSteps } from '../operations/ci/ci-report.ts';
import type { JunitCase, JunitSuite } from './junit.ts';
import { problemLines, problemsJson, shownPath } from './print-problems.ts';
import { effectSection, markerOf } from './print-effect.ts';
import { testReportJson, testReportLines, testSuites } from './print-tests.ts';
import { type Line, paint, styled } from './styled-text.ts';
import { withinComment } from './within-comment.ts';

const allSteps: readonly CiStepName[] = [
  'validate',
  'test',
  'import',
  'check',
  'rules',
  'queries',
  'findings',
  'effect',
];

/** The report as text: a line for each step, with its failures and warnings below. */
export function ciLines(report: CiReport): readonly Line[] {
  const lines = report.files.flatMap((file) => [
    paint.bold(shownPath(file.validated.path)),
    ...file.steps.flatMap((step) => [stepLine(step), ...messagesOf(file, step).map((line) => styled`    ${line}`)]),
  ]);
  return [...lines, endLine(report)];
}

function stepLine({ name, outcome, detail, durationMs }: CiStep): Line {
  const word = { passed: paint.green('passed'), failed: paint.red('FAILED'), 'not run': paint.yellow('not run') }[
    outcome
  ];
  const time = outcome === 'not run' ? '' : paint.dim(` (${(durationMs / 1000).toFixed(1)} s)`);
  return styled`  ${name.padEnd(8)}  ${word}${detail === '' ? '' : `  ${detail}`}${time}`;
}

function messagesOf(file: CiFile, step: CiStep): readonly Line[] {
  if (file.tests) return testReportLines(file.tests).slice(1);
  return step.name === 'validate' ? [...problemLines(file.validated), ...step.messages] : step.messages;
}

function endLine(report: CiReport): Line {
  const failed = failedSteps(report);
  const graphs = report.files.filter(({ kind }) => kind === 'graph').length;
  const left = report.unchanged === 0 ? '' : `, ${report.unchanged} unchanged and left out`;
  const about = `${graphs} ${graphs === 1 ? 'entity graph' : 'entity graphs'}${left}`;
  return failed === 0 ? paint.green(`All steps passed: ${about}.`) : paint.red(`${failed} failed: ${about}.`);
}

/** docs/semantics.md#152-commands */
export function ciJson(report: CiReport): unknown {
  const { folder, files, unchanged, gone } = report;
  return {
    folder,
    files: files.map(({ kind, validated, steps, tests, effect }) => ({
      file: validated.path,
      kind,
      steps,
      diagnostics: problemsJson(validated),
      ...(effect && { effect }),
      ...(tests && { tests: (testReportJson(tests) as { readonly tests: unknown }).tests }),
    })),
    unchanged,
    ...(gone && { gone }),
    failed: failedSteps(report),
  };
}

/** A suite for each file, a case for each step, or each test of a file of tests. */
export function ciSuites({ files }: CiReport): readonly JunitSuite[] {
  return files.flatMap((file) => {
    if (file.tests) return testSuites([file.tests]);
    return [{ name: shownPath(file.validated.path), cases: file.steps.map((step) => caseOf(file, step)) }];
  });
}

function caseOf(file: CiFile, step: CiStep): JunitCase {
  const { name, outcome, detail, durationMs } = step;
  const lines = messagesOf(file, step).map(String);
  const message = detail === '' ? (lines[0] ?? '') : detail;
  return {
    name,
    durationMs,
    failures: outcome === 'failed' ? [{ message, text: lines.join('\n') }] : undefined,
    skipped: outcome === 'not run' ? message : undefined,
  };
}

/** A summary for pages of build servers: a table, then failures and warnings. */
export function ciMarkdown(report: CiReport): string {
  const details = report.files.flatMap((file) => {
    const lines = file.steps.flatMap((step) => messagesOf(file, step));
    if (lines.length === 0) return [];
    const items = lines.map((line) => `* ${escapeForComment(String(line))}`);
    return ['', `### ${escapeForComment(shownPath(file.validated.path))}`, '', ...items];
  });
  const stepNames = allSteps.filter(
    (name) => name !== 'effect' || report.files.some(({ steps }) => steps.some((step) => step.name === name)),
  );
  const rows = report.files.map(({ validated, steps }) => {
    const cells = stepNames.map((name) => cellOf(steps.find((step) => step.name === name)));
    return `| ${[escapeForComment(shownPath(validated.path)), ...cells].join(' | ')} |`;
  });
  const table =
    rows.length === 0
      ? []
      : [`| file | ${stepNames.join(' | ')} |`, `|---|${'---|'.repeat(stepNames.length)}`, ...rows, ''];
  return [`## Entity graphs`, '', ...table, endLine(report), ...details, ''].join('\n');
}

/** A comment for a pull request: what all graphs do otherwise than at the base. Its first line is always the same. */
export function ciEffectMarkdown(report: CiReport): string {
  const effects = report.files.flatMap(({ effect }) => (effect && effect.state !== 'same text' ? [effect] : []));
  const failed = report.files.flatMap(({ validated, steps }) =>
    steps
      .filter(({ name, outcome }) => outcome === 'failed' || (name === 'effect' && outcome === 'not run'))
      .map(
        ({ name, outcome, messages }) =>
          `* ${outcome === 'failed' ? '❌' : '⚪'} ${escapeForComment(`${shownPath(validated.path)}: ${name} ${outcome}${messages[0] === undefined ? '' : `: ${messages[0]}`}`)}`,
      ),
  );
  const gone = (report.gone ?? []).map((path) => `* ${escapeForComment(shownPath(path))} is gone`);
  const isEmpty = effects.length + failed.length + gone.length === 0;
  return withinComment([
    markerOf('ci', report.folder),
    ...(isEmpty ? ['No entity graph differs from the base.', ''] : []),
    ...[...failed, ...gone].flatMap((line, index) => (index === 0 ? ['', line] : [line])),
    ...(failed.length + gone.length > 0 ? [''] : []),
    ...effects.flatMap(effectSection),
  ]).join('\n');
}

function cellOf(step: CiStep | undefined): string {
  if (!step) return '';
  const sign = { passed: '✅', failed: '❌', 'not run': '⚪' }[step.outcome];
  const words =
    step.outcome === 'passed' ? step.detail : `${step.outcome}${step.detail === '' ? '' : `: ${step.detail}`}`;
  return `${sign} ${escapeForComment(words)}`;
}
