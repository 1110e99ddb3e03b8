import { createLineIndex } from '../model/line-index.ts';
import type { GraphTestReport, TestFailure, TestResult } from '../operations/graph-tests/test-report.ts';
import type { JunitFailure, JunitSuite } from './junit.ts';
import { shownPath } from './print-problems.ts';
import type { SarifFile, SarifResult } from './sarif.ts';
import { type Line, paint, styled } from './styled-text.ts';

/** The tests of a file, one a line, with expected and actual text below failed tests. */
export function testReportLines(report: GraphTestReport): readonly Line[] {
  const inTests = placesOf(report.tests.flatMap(({ failures }) => failures));
  const others = report.problems.filter((problem) => !inTests.has(placeKey(problem)));
  return [
    paint.bold(shownPath(report.path)),
    ...others.map(({ message, range }) => styled`  ${paint.red('error')} ${lineOf(report, range.start)}: ${message}`),
    ...report.tests.flatMap((test) => testLines(report, test)),
  ];
}

function testLines(report: GraphTestReport, test: TestResult): readonly Line[] {
  const { name, outcome, reason, failures, durationMs } = test;
  const mark = {
    passed: paint.green('passed'),
    failed: paint.red('failed'),
    'not run': paint.yellow('not run'),
  }[outcome];
  return [
    styled`  ${mark} ${name} ${paint.dim(reason ?? `${durationMs} ms`)}`,
    ...failures.flatMap((failure) => [
      styled`    ${paint.bold(`${shownPath(report.path)}:${lineOf(report, failure.range.start)}`)}: ${failure.message}`,
      ...comparison(failure).map(
        (line) =>
          styled`      ${line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line}`,
      ),
    ]),
  ];
}

/** A diff: missing lines begin with `-`, unexpected ones with `+`. */
function comparison({ expected, actual }: TestFailure): readonly string[] {
  if (expected === undefined || actual === undefined) return [];
  const [left, right] = [expected.split('\n'), actual.split('\n')];
  const lines: string[] = [];
  let next = 0;
  for (const line of left) {
    const at = right.indexOf(line, next);
    if (at < 0) {
      lines.push(`- ${line.replace(/^- /, '')}`);
      continue;
    }
    for (; next < at; next += 1) lines.push(`+ ${(right[next] ?? '').replace(/^- /, '')}`);
    lines.push(`  ${line.replace(/^- /, '')}`);
    next = at + 1;
  }
  return [...lines, ...right.slice(next).map((line) => `+ ${line.replace(/^- /, '')}`)];
}

/** The last line: how many passed, failed and were not run. */
export function totalLine(reports: readonly GraphTestReport[]): Line {
  const tests = reports.flatMap((report) => report.tests);
  if (tests.length === 0) return paint.yellow('There are no tests: no *.entity.test.yaml was found.');
  const count = (outcome: TestResult['outcome']): number => tests.filter((test) => test.outcome === outcome).length;
  const [failed, notRun] = [count('failed'), count('not run')];
  const text = `${count('passed')} passed, ${failed} failed${notRun > 0 ? `, ${notRun} not run` : ''}`;
  return failed > 0 ? paint.red(text) : notRun > 0 ? paint.yellow(text) : paint.green(text);
}

/** Part of the contract (docs/semantics.md#151-contract). */
export function testReportJson(report: GraphTestReport): unknown {
  const lines = createLineIndex(report.text);
  return {
    file: report.path,
    diagnostics: report.problems.map(({ code, severity, message, range }) => ({
      code,
      severity,
      message,
      range: lines.range(range),
    })),
    tests: report.tests.map(({ name, outcome, reason, failures, durationMs, range }) => ({
      name,
      outcome: outcome === 'not run' ? 'notRun' : outcome,
      reason,
      durationMs,
      range: lines.range(range),
      failures: failures.map((failure) => ({
        message: failure.message,
        range: lines.range(failure.range),
        expected: failure.expected,
        actual: failure.actual,
      })),
    })),
  };
}

/** A suite for each file. Without tests, each problem of the file is a test case. */
export function testSuites(reports: readonly GraphTestReport[]): readonly JunitSuite[] {
  return reports.map((report) => {
    const failureOf = (failure: TestFailure): JunitFailure => ({
      message: failure.message,
      text: [`${shownPath(report.path)}:${lineOf(report, failure.range.start)}`, ...comparison(failure)].join('\n'),
    });
    const broken = report.tests.length === 0 ? report.problems : [];
    return {
      name: shownPath(report.path),
      cases: [
        ...report.tests.map(({ name, durationMs, outcome, reason, failures }) => ({
          name,
          durationMs,
          failures: failures.map(failureOf),
          skipped: outcome === 'not run' ? (reason ?? '') : undefined,
        })),
        ...broken.map((problem) => ({
          name: 'file',
          durationMs: 0,
          failures: [failureOf({ message: problem.message, range: problem.range })],
        })),
      ],
    };
  });
}

/** Reports the problems of a test file, each failed expectation at its position, and each test that was not run. */
export function testSarifFile({ path, text, problems, tests }: GraphTestReport): SarifFile {
  const told = placesOf(problems);
  const results = tests.flatMap(({ name, outcome, reason, failures, range }): readonly SarifResult[] => {
    if (outcome === 'not run')
      return [{ code: 'test-not-run', severity: 'warning', message: `"${name}" is not run: ${reason ?? ''}`, range }];
    // A mistake of the file fails every test that it concerns, and is printed once.
    return failures
      .filter((failure) => !told.has(placeKey(failure)))
      .map((failure) => ({
        code: 'test-failed',
        severity: 'error',
        message: [`"${name}" fails: ${failure.message}`, ...comparison(failure)].join('\n'),
        range: failure.range,
      }));
  });
  return { path, text, problems: [...problems, ...results] };
}

function placesOf(all: readonly Pick<TestFailure, 'range' | 'message'>[]): ReadonlySet<string> {
  return new Set(all.map(placeKey));
}

function placeKey({ range, message }: Pick<TestFailure, 'range' | 'message'>): string {
  return `${range.start} ${message}`;
}

function lineOf({ text }: GraphTestReport, offset: number): number {
  return createLineIndex(text).position(offset).line + 1;
}
