import assert from 'node:assert/strict';
import { addSourceEntry, type SourceEntry } from '../../../server/src/model/edits/add-source-entry.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';

const text = (source: string): string => `version: 1\ndataSources:\n${source}\n  other: { kind: csv }\n`;

/** One row a text: the source as it stands, the list, the entry, and the source after; undefined when nothing can be added. */
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
  ['  a: { kind: x, tables: [c] }', 'tables', 'c', undefined],
  ['  b: { kind: x }', 'tables', 'c', undefined],
  ['  a: { kind: x', 'tables', 'c', undefined],
  ['  a: ', 'tables', 'c', undefined],
];

describe('an entry of a data source', () => {
  for (const [before, list, entry, after] of cases) {
    it(`${JSON.stringify(entry)} in ${JSON.stringify(before)}`, () => {
      const edit = addSourceEntry(text(before), 'a', list, entry);
      assert.equal(edit && applyEdits(text(before), [edit]), after === undefined ? undefined : text(after));
    });
  }
});
