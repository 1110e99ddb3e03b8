import { xmlText } from '../../../protocol/xml-text.ts';

/** A group of test cases of a JUnit report. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Passed without failures, unless it was skipped. */
export interface JunitCase {
  readonly name: string;
  readonly durationMs: number;
  readonly failures?: readonly JunitFailure[] | undefined;
  /** Why it was not run. */
  readonly skipped?: string | undefined;
}

export interface JunitFailure {
  /** One line. */
  readonly message: string;
  /** Everything else. */
  readonly text: string;
}

/** A report in the XML of JUnit, as build servers read it. */
export function toJunit(suites: readonly JunitSuite[]): string {
  const lines = suites.flatMap(({ name, cases }) => [
    `  <testsuite ${attributes({ name, ...counts(cases) })}>`,
    ...cases.map((each) => `    ${caseXml(name, each)}`),
    '  </testsuite>',
  ]);
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...lines, '</testsuites>', ''].join('\n');
}

function caseXml(classname: string, { name, durationMs, failures = [], skipped }: JunitCase): string {
  const open = `<testcase ${attributes({ name, classname, time: seconds(durationMs) })}`;
  const inner = [
    ...failures.map(({ message, text }) => `<failure ${attributes({ message })}>${xmlText(text)}</failure>`),
    ...(skipped === undefined ? [] : [`<skipped ${attributes({ message: skipped })}/>`]),
  ];
  return inner.length === 0 ? `${open}/>` : `${open}>${inner.join('')}</testcase>`;
}

function counts(cases: readonly JunitCase[]): Readonly<Record<string, string>> {
  return {
    tests: String(cases.length),
    failures: String(cases.filter(({ failures = [] }) => failures.length > 0).length),
    skipped: String(cases.filter(({ skipped }) => skipped !== undefined).length),
    time: seconds(cases.reduce((sum, { durationMs }) => sum + durationMs, 0)),
  };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(value)}"`)
    .join(' ');
}
