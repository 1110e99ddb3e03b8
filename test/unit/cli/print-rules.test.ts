import assert from 'node:assert/strict';
import type { RuleResult, RuleViolation } from '../../../protocol/process-rules.ts';
import { ruleJunitSuite, ruleLines, ruleMarkdown, ruleProblems } from '../../../server/src/cli/print-rules.ts';
import type { JudgedGraph } from '../../../server/src/operations/stored-graphs/judge-graph.ts';

/** The text about violations in each format, one line each. */
function printed(broken: number, violations: readonly Omit<RuleViolation, 'entity'>[]): readonly (readonly string[])[] {
  const result: RuleResult = {
    ...{ name: 'One', severity: 'error', judged: 10, concerned: 10, kept: 10 - broken, broken, pending: 0 },
    ...{ undecided: 0, share: 0.5, atLeast: 1 },
    ...{ holds: false, sql: '', violations: violations.map((violation) => ({ entity: null, ...violation })) },
  };
  const judged: JudgedGraph = {
    file: { path: 'a.yaml', text: '' },
    brokenCode: 'rule-broken',
    results: [result],
    places: [{ start: 0, end: 0 }],
    measures: [],
    measurePlaces: [],
  };
  const lines = (text: string): readonly string[] =>
    text.split('\n').flatMap((line) => /^(?:\* +| {8})?((?:"|…).*(?:rows?|more))$/u.exec(line)?.[1] ?? []);
  return [
    ruleLines(judged).join('\n'),
    ruleProblems(judged)[0]?.message ?? '',
    ruleJunitSuite(judged).cases[0]?.failures?.[0]?.text ?? '',
    ruleMarkdown(judged),
  ].map(lines);
}

const rows = (value: string, count: number): Omit<RuleViolation, 'entity'> => ({
  detail: `"${value}" in ${count} rows`,
  count,
});

describe('violations of printed rules', () => {
  const cases: readonly (readonly [
    title: string,
    broken: number,
    given: readonly Omit<RuleViolation, 'entity'>[],
    lines: readonly string[],
  ])[] = [
    ['that stand for all rows are followed by nothing', 3, [rows('lost', 3)], ['"lost" in 3 rows']],
    [
      'that stand for some rows tell the rest',
      9,
      [rows('a', 3), rows('b', 2)],
      ['"a" in 3 rows', '"b" in 2 rows', '… and 4 more'],
    ],
    [
      'each stand for one, unless they say otherwise',
      3,
      [{ detail: '"a" in a row' }],
      ['"a" in a row', '… and 2 more'],
    ],
    ['of which none is known are only counted', 3, [], []],
  ];
  for (const [title, broken, given, lines] of cases) {
    it(title, () => {
      for (const found of printed(broken, given)) assert.deepEqual(found, lines);
    });
  }
});
