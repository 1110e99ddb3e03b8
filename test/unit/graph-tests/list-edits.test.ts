import { deepStrictEqual } from 'node:assert/strict';
import type { ActualGraph } from '../../../server/src/graph-tests/actual-graph.ts';
import { actualTextOf } from '../../../server/src/graph-tests/actual-text.ts';
import { compareGraph } from '../../../server/src/graph-tests/compare-graph.ts';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';

const entity = { type: 'order', key: 'A' };

/** A graph with these events, one a minute. */
function graphOf(activities: readonly string[]): ActualGraph {
  return {
    events: activities.map((activity, index) => ({
      ...{ activity, entity, lifecycle: 'start', properties: {} },
      time: `2024-01-01T00:0${index}:00.000000Z`,
    })),
    directlyFollows: activities.slice(1).map((activity, index) => [activities[index] ?? '', activity] as const),
    relations: [],
    entities: [entity],
    rules: [],
    queries: new Map(),
  };
}

/** The expectations after the actual results were written. */
function updated(expect: string, activities: readonly string[]): string {
  const text = `graph: a.entity.yaml\ntests:\n  - name: one\n    expect:\n${expect}`;
  const [test] = parseGraphTests(text).tests;
  const actual = graphOf(activities);
  const differences = test ? compareGraph(test.expect, actual, { text, timeZone: 'UTC' }) : [];
  const edits = differences.flatMap((difference) => difference.edits ?? []).toSorted((a, b) => b.start - a.start);
  const after = edits.reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
  const [again] = parseGraphTests(after).tests;
  // The written expectations must hold.
  deepStrictEqual(again && compareGraph(again.expect, actual, { text: after, timeZone: 'UTC' }), []);
  return after.slice(text.indexOf('expect:\n') + 'expect:\n'.length);
}

const events = (...lines: readonly string[]): string =>
  `      events: # in order\n${lines.map((line) => `        ${line}\n`).join('')}      relations: []\n`;

describe('edits that write actual results', () => {
  const cases: readonly (readonly [title: string, before: string, activities: readonly string[], after: string])[] = [
    [
      'replace an item by the same fields of the actual result',
      events('- { activity: A }', '# the last', '- { activity: X, entity: A }'),
      ['A', 'B'],
      events('- { activity: A }', '# the last', '- { activity: B, entity: A }'),
    ],
    [
      'insert after unchanged items',
      events('- { activity: A }', '- { activity: C }'),
      ['A', 'B', 'C', 'D'],
      events(
        '- { activity: A }',
        '- { activity: B, entity: A, time: 2024-01-01T00:01:00Z }',
        '- { activity: C }',
        '- { activity: D, entity: A, time: 2024-01-01T00:03:00Z }',
      ),
    ],
    [
      'insert before the first',
      events('- { activity: B }'),
      ['A', 'B'],
      events('- { activity: A, entity: A, time: 2024-01-01T00:00:00Z }', '- { activity: B }'),
    ],
    ['remove the first', events('- { activity: X }', '- { activity: A }'), ['A'], events('- { activity: A }')],
    [
      'remove between and at the end',
      events('- activity: A', '  entity: A', '- { activity: X }', '- { activity: B }', '- { activity: Y }'),
      ['A', 'B'],
      events('- activity: A', '  entity: A', '- { activity: B }'),
    ],
    [
      'remove all',
      '      events:\n        - { activity: X }\n      relations: []\n',
      [],
      '      events: []\n      relations: []\n',
    ],
    [
      'lists on one line',
      '      { events: [], directlyFollows: [[A, X], [A, B]] }\n',
      ['A', 'B'],
      '      { events: [{ activity: A, entity: A, time: 2024-01-01T00:00:00Z }, { activity: B, entity: A, time: 2024-01-01T00:01:00Z }], directlyFollows: [[A, B]] }\n',
    ],
    [
      'lists in any order keep theirs',
      '      directlyFollows:\n        - [B, C]\n        - [X, Y]\n        - [A, B]\n',
      ['A', 'B', 'C', 'A', 'B'],
      '      directlyFollows:\n        - [B, C]\n        - [A, B]\n        - [C, A]\n        - [A, B]\n',
    ],
  ];
  const keys: readonly (readonly [key: string, written: string])[] = [
    ['7', '7'],
    ['7-1', '7-1'],
    ['1 - Critical', '1 - Critical'],
    ['a, b', "'a, b'"],
    ["it's #1", '"it\'s #1"'],
    ['---', "'---'"],
    ['null', "'null'"],
    ['1e3', "'1e3'"],
    ['two\nlines', '"two\\nlines"'],
    ['["7","7-1"]', '[7, 7-1]'],
  ];
  for (const [key, written] of keys) {
    it(`quote the key ${JSON.stringify(key)} only if YAML needs it`, () => {
      const entities = [
        { type: 'order', key },
        { type: 'order line', key: 'A' },
      ];
      deepStrictEqual(actualTextOf({ entities }).entity({ type: 'order', key }), `{ type: order, key: ${written} }`);
    });
  }
  for (const [title, before, activities, after] of cases) {
    it(title, () => deepStrictEqual(updated(before, activities), after));
  }
});
