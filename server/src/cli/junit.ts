/** A group of test cases of a JUnit report. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

export interface JunitCase {
  readonly name: string;
  readonly durationMs: number;
  /** Absent: passed. `message` is one line, `text` everything. */
  readonly result?: { readonly kind: 'failure' | 'skipped'; readonly message: string; readonly text?: string };
  /** The file, for build servers that show it. */
  readonly file?: string;
}

/** A report in the XML of JUnit, as build servers read it (`testsuites` of https://llg.cubic.org/docs/junit/). */
export function toJunit(suites: readonly JunitSuite[]): string {
  const lines = suites.flatMap(({ name, cases }) => [
    `  <testsuite ${attributes({ name, ...counts(cases) })}>`,
    ...cases.flatMap((each) => caseLines(name, each)),
    '  </testsuite>',
  ]);
  const all = attributes({ name: 'entity-graph', ...counts(suites.flatMap(({ cases }) => cases)) });
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${all}>`, ...lines, '</testsuites>', ''].join('\n');
}

function caseLines(suite: string, { name, durationMs, result, file }: JunitCase): readonly string[] {
  const open = attributes({ name, classname: suite, time: seconds(durationMs), ...(file !== undefined && { file }) });
  if (!result) return [`    <testcase ${open}/>`];
  const { kind, message, text } = result;
  const element = `      <${kind} ${attributes({ message })}`;
  const inner = text === undefined ? `${element}/>` : `${element}>${escaped(text)}</${kind}>`;
  return [`    <testcase ${open}>`, inner, '    </testcase>'];
}

function counts(cases: readonly JunitCase[]): Readonly<Record<string, string>> {
  const of = (kind: 'failure' | 'skipped'): string =>
    String(cases.filter(({ result }) => result?.kind === kind).length);
  const time = cases.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return { tests: String(cases.length), failures: of('failure'), skipped: of('skipped'), time: seconds(time) };
}

function seconds(durationMs: number): string {
  return (durationMs / 1000).toFixed(3);
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value).replaceAll('\n', '&#10;')}"`)
    .join(' ');
}

/** XML has no place for most control characters, not even escaped. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
