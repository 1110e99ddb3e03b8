import assert from 'node:assert/strict';
import { validateDataSources } from '../../../server/src/language/validation/validate-graph.ts';
import { withRanges } from './marked-text.ts';

const source = '{ kind: csv, path: "*.csv" }';
const many = Array.from({ length: 7 }, (_, index) => `Warning ${index}.`);

/** One row per knowledge about the source `b`, and the only problem of the file. */
const cases: readonly (readonly [
  name: string,
  catalog: { warnings: readonly string[]; complete: boolean } | undefined,
  marked: string,
  severity?: string,
  message?: string,
])[] = [
  ['is quiet where nothing is known', undefined, 'b'],
  ['is quiet where nothing was left out', { warnings: [], complete: true }, 'b'],
  [
    'tells what cannot be read',
    { warnings: ['a.csv is empty.'], complete: false },
    '‹|b|›',
    'warning',
    'a.csv is empty.',
  ],
  [
    'reports notes as information, in separate lines',
    { warnings: many.slice(0, 2), complete: true },
    '‹|b|›',
    'information',
    'Warning 0.\nWarning 1.',
  ],
  [
    'tells some of many',
    { warnings: many, complete: false },
    '‹|b|›',
    'warning',
    [...many.slice(0, 5), '2 more: run Diagnose Data Source to see all of them.'].join('\n'),
  ],
];

describe('a source without files', () => {
  const failure = {
    code: 'file-missing',
    message: 'Data source b: no file in /data matches x/*.csv',
    remedy: 'Correct path.',
  } as const;
  const message = 'Data source b: no file in /data matches x/*.csv. Correct path.';
  for (const marked of [
    'b: { kind: csv, path: ‹|x/*.csv|› }',
    'b: { kind: csv, path: ‹|[x/*.csv, y/*.csv]|› }',
    'b: { kind: duckdb, graph: ‹|x.entity.yaml|› }',
  ]) {
    it(`has its problem at the files: ${marked}`, () => {
      const { text, ranges } = withRanges(`version: 1\ndataSources:\n  a: ${source}\n  ${marked}\n`);
      const problems = validateDataSources({ text, failures: new Map([['b', failure]]) });
      assert.deepEqual(
        problems,
        ranges.map((range) => ({ code: 'source-incomplete', severity: 'warning', message, range })),
      );
    });
  }

  it('is quiet about sources that could not be read for another reason', () => {
    const text = `version: 1\ndataSources:\n  b: ${source}\n`;
    const refused = { code: 'authentication-failed', message: 'No.' } as const;
    assert.deepEqual(validateDataSources({ text, failures: new Map([['b', refused]]) }), []);
  });
});

describe('source-incomplete', () => {
  for (const [name, catalog, marked, severity, message] of cases) {
    it(name, () => {
      const { text, ranges } = withRanges(`version: 1\ndataSources:\n  a: ${source}\n  ${marked}: ${source}\n`);
      const catalogs = new Map(catalog ? [['b', catalog]] : []);
      const problems = validateDataSources({ text, catalogs });
      assert.deepEqual(
        problems,
        ranges.map((range) => ({ code: 'source-incomplete', severity, message, range })),
      );
    });
  }
});
