import assert from 'node:assert/strict';
import { addSourceEntry, type SourceEntry } from '../../../server/src/model/edits/add-source-entry.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';

const text = (source: string): string => `version: 1\ndataSources:\n${source}\n  other: { kind: csv }\n`;

/**
 * One row per text: the source before, the list, the entry, and the source after; undefined when nothing can be added.
 */
const cases: readonly (readonly [before: string, list: string, entry: SourceEntry, after: string | undefined])[] = [
  ['  a: { kind: x, tables: [b] }', 'tables', 'c', '  a: { kind: x, tables: [b, c] }'],
  ['  a: { kind: x, tables: [ ] }', 'tables', 'c', '  a: { kind: x, tables: [ c] }'],
  ['  a: { kind: x }', 'tables', 'c', '  a: { kind: x, tables: [c] }'],
  ['  a: { kind: x, tables: b }', 'tables', 'c', '  a: { kind: x, tables: [b, c] }'],
  ['  a:\n    kind: x # so\n', 'tables', 'c', '  a:\n    kind: x # so\n    tables:\n      - c\n'],
  ['  a:\n    kind: x\n    tables: [b] # these\n', 'tables', 'c', '  a:\n    kind: x\n    tables: [b, c] # these\n'],
  [
    '  a:\n    tables:\n      - b # one\n    kind: x',
    'tables',
    'c',
    '  a:\n    tables:\n      - b # one\n      - c\n    kind: x',
  ],
  [
    '  a:\n    kind: rest\n    endpoints:\n    - name: b\n      path: /b\n\n    # more\n',
    'endpoints',
    { name: 'c', path: '/c', parameters: { q: 'x y' } },
    '  a:\n    kind: rest\n    endpoints:\n    - name: b\n      path: /b\n    - { name: c, path: /c, parameters: { q: x y } }\n\n    # more\n',
  ],
  [
    '  a:\n    kind: x\n    auth:\n      kind: basic',
    'tables',
    'c',
    '  a:\n    kind: x\n    auth:\n      kind: basic\n    tables:\n      - c',
  ],
  ['  a:\n    kind: x\n    tables:\n', 'tables', 'c', '  a:\n    kind: x\n    tables: [c]\n'],
  ['  a:\n    kind: x\n    tables: # none\n', 'tables', 'c', '  a:\n    kind: x\n    tables: [c] # none\n'],
  [
    '  a:\n    tables: [\n      b, # so\n      d,\n    ]',
    'tables',
    'c',
    '  a:\n    tables: [\n      b, # so\n      d,\n      c,\n    ]',
  ],
  [
    '  a: {\n    "kind": "x"\n  }',
    'endpoints',
    { name: 'c', path: '/c', parameters: { 'q r': 'x' } },
    '  a: {\n    "kind": "x",\n    "endpoints": [{ "name": "c", "path": "/c", "parameters": { "q r": "x" } }]\n  }',
  ],
  ['  a: { kind: x, tables: [c] }', 'tables', 'c', undefined],
  ['  b: { kind: x }', 'tables', 'c', undefined],
  ['  a: { kind: x', 'tables', 'c', undefined],
  ['  a: ', 'tables', 'c', undefined],
];

describe('addSourceEntry', () => {
  for (const [before, list, entry, after] of cases) {
    it(`${JSON.stringify(entry)} in ${JSON.stringify(before)}`, () => {
      const edits = addSourceEntry(text(before), 'a', list, entry);
      assert.equal(edits && applyEdits(text(before), edits), after === undefined ? undefined : text(after));
    });
  }

  /** One row per JSON file: the source before and after. */
  const json: readonly (readonly [before: string, list: string, entry: SourceEntry, after: string])[] = [
    ['{"kind":"x","tables":["b"]}', 'tables', 'c', '{"kind":"x","tables":["b", "c"]}'],
    [
      '{\n      "kind": "x",\n      "endpoints": [\n        { "name": "b" }\n      ]\n    }',
      'endpoints',
      { name: 'c', pagination: { style: 'page', pageSize: 5 } },
      '{\n      "kind": "x",\n      "endpoints": [\n        { "name": "b" },\n        { "name": "c", "pagination": { "style": "page", "pageSize": 5 } }\n      ]\n    }',
    ],
  ];
  for (const [before, list, entry, after] of json) {
    it(`keeps JSON: ${JSON.stringify(entry)} in ${before}`, () => {
      const whole = (source: string): string => `{\n  "version": 1,\n  "dataSources": {\n    "a": ${source}\n  }\n}\n`;
      const edits = addSourceEntry(whole(before), 'a', list, entry);
      assert.ok(edits);
      const text = applyEdits(whole(before), edits);
      assert.equal(text, whole(after));
      assert.doesNotThrow(() => JSON.parse(text));
    });
  }

  it('writes the defaults of a missing list before the new entry', () => {
    const before = text('  a:\n    kind: x');
    const edits = addSourceEntry(before, 'a', 'tables', 'c', ['b', 'd']);
    assert.equal(
      edits && applyEdits(before, edits),
      text('  a:\n    kind: x\n    tables:\n      - b\n      - d\n      - c'),
    );
  });
});
