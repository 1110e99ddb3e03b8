import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import type { SqlValidator } from '../../../server/src/language/sql/sql-validator.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { loadPostgresqlValidator } from '../../../server/src/sql/postgresql-validator.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const element = (lines: string): string =>
  `version: 1\ndataSource: shop\nelements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n${lines}`;

const cases: readonly (readonly [name: string, marked: string, message?: RegExp])[] = [
  ['a condition that is right', element("    where: note LIKE '%x' AND id IN (SELECT 1)\n")],
  ['a literal block', element('    where: |\n      id > 5\n        ‹|ANDD|› note IS NULL\n'), /near "ANDD"/],
  ['a folded block', element('    where: >\n      id > 5\n      AND\n\n      note = ‹|=|› 2\n'), /near "="/],
  ['double quotes with escapes', element('    where: "\\u00e4.id = 1 ‹|ANDD|› id = 2"\n'), /near "ANDD"/],
  ['single quotes', element("    where: 'note = ''x'' ‹|OOR|› id = 1'\n"), /near "OOR"/],
  ['letters beyond the basic plane', element("    where: note = '😀' ‹|ANDD|› id = 1\n"), /near "ANDD"/],
  ['text that ends too early', element('    where: id >‹|=|›\n'), /ends too early/],
  ['joins that are right', element('    joins: LEFT JOIN customers AS c ON c.id = orders.customer_id\n')],
  ['joins', element('    joins: LEFT JOIN customers c ‹|ONN|› c.id = 1\n'), /near "ONN"/],
  ['SQL that is not contained, which has its own rule', element('    where: id = (1 ANDD\n')],
  [
    'an expression',
    `${element('')}relationships: [{ source: A, target: A, mappings: [{ expression: source.id = ‹|AND|› target.id }] }]\n`,
    /near "AND"/,
  ],
];

describe('sql-syntax rule', () => {
  let sqlValidator: SqlValidator;
  before(async () => (sqlValidator = await loadPostgresqlValidator()));

  for (const [name, marked, message] of cases.filter(([, , each]) => each !== undefined)) {
    it(`marks the error position in ${name}`, () => {
      const { text, ranges } = withRanges(marked);
      const problems = validateEntityGraph({ text, sources, catalog, sqlValidator });
      assert.deepEqual(
        problems.map(({ code }) => code),
        ['sql-syntax'],
        JSON.stringify(problems),
      );
      const [range] = ranges;
      assert.equal(text.slice(problems[0]?.range.start, problems[0]?.range.end), text.slice(range?.start, range?.end));
      assert.match(problems[0]?.message ?? '', message ?? /never/);
    });
  }

  for (const [name, marked] of cases.filter(([name]) => /right|own rule/.test(name))) {
    it(`reports nothing for ${name}`, () => {
      const { text } = withRanges(marked);
      const codes = validateEntityGraph({ text, sources, catalog, sqlValidator }).map(({ code }) => code);
      assert.ok(!codes.includes('sql-syntax'), codes.join());
    });
  }

  for (const [name, known, severity] of [
    ['a server whose version is not known', { catalog }, 'warning'],
    ['a server of another version', { catalog: { ...catalog, engineVersion: 16 } }, 'warning'],
    ['a server of the version of the parser', { catalog: { ...catalog, engineVersion: 18 } }, 'error'],
    ['a database whose catalog is not known', {}, 'warning'],
    ['files, which DuckDB reads', { dataSource: 'files' }, 'error'],
    [
      'files whose columns are known',
      { dataSource: 'files', catalog: { ...catalog, dialect: 'duckdb' as const } },
      'error',
    ],
  ] as const) {
    it(`reports ${name} with the severity of its parser`, () => {
      const { dataSource = 'shop', ...context } = known as { dataSource?: string; catalog?: typeof catalog };
      const text = element('    where: id > 5 ANDD note IS NULL\n').replace('shop', dataSource);
      const problems = validateEntityGraph({ text, sources, sqlValidator, ...context });
      assert.deepEqual(
        problems.map((problem) => [problem.code, problem.severity]),
        [['sql-syntax', severity]],
      );
    });
  }

  it('reports nothing in the Northwind sample', () => {
    const text = readFileSync('samples/northwind/northwind.entity.yaml', 'utf8');
    const { graph } = parseEntityGraph(text);
    const sql = graph.elements.flatMap(({ joins }) => joins?.value ?? []);
    assert.ok(sql.length >= 4);
    const codes = validateEntityGraph({ text, sqlValidator }).map(({ code }) => code);
    assert.ok(!codes.includes('sql-syntax'));
  });
});
