import assert from 'node:assert/strict';
import type { GraphEffect } from '../../../protocol/graph-effect.ts';
import type { GraphChanges } from '../../../protocol/graph-changes.ts';
import { effectLenses } from '../../../server/src/language/effect-lenses.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const text = `elements:
  - { activityName: Place Order, dataObject: orders }
  - { activityName: Ship Order, dataObject: orders }
rules:
  - { name: Shipped in time }
`;
const { graph } = parseEntityGraph(text);
const found: GraphEffect = {
  file: '/shop.entity.yaml',
  base: { kind: 'commit', name: 'origin/main', path: '/shop.entity.yaml' },
  state: 'compared',
};
const changed = { changes: { changed: true } as GraphChanges, schema: [] };
const edit = (section: string, entry: string) =>
  ({ kind: 'changed', section, entry, field: 'where', title: `${entry} · where` }) as const;

function lenses(effect: Partial<GraphEffect>, isCurrent = true): readonly string[] {
  return effectLenses(graph, { ...found, ...effect }, isCurrent).map(
    ({ range, title }) => `${text.slice(0, range.start).split('\n').length}: ${title}`,
  );
}

describe('effect lenses', () => {
  it('say above each changed entry what its edit does, moved entries included', () => {
    const parts = [
      {
        edits: [edit('elements', 'Ship Order')],
        deltas: [
          { part: 'events', name: 'Ship Order', kind: 'gone', count: 1204 },
          { part: 'events', name: 'Ship Order', kind: 'moved', count: 1 },
          { part: 'rules', name: 'Shipped in time', kind: 'broken', count: 3 },
        ],
        schema: [],
      },
      { edits: [edit('rules', 'Shipped in time')], deltas: [], schema: [] },
      { edits: [edit('elements', 'Gone')], deltas: [], schema: [] },
    ] as const;
    assert.deepEqual(lenses({ ...changed, attribution: { parts, together: [], withoutEffect: [] } }), [
      '1: Compared with origin/main',
      '1: Stop Comparing',
      '3: where: −1,204 events, 1 event moved, 1 rule',
      '5: where: none',
    ]);
    assert.deepEqual(lenses({ ...changed, attribution: { parts, together: [], withoutEffect: [] } }, false), [
      '1: Compared with origin/main, before the latest edits',
      '1: Stop Comparing',
    ]);
  });

  for (const [what, effect, said] of [
    ['the same text', { state: 'same text' }, 'the same text'],
    ['a graph that the base does not have', { state: 'new' }, 'a new graph'],
    ['no effect', { changes: { changed: false } as GraphChanges }, 'no effect'],
  ] as const) {
    it(`say so above the file: ${what}`, () => {
      assert.deepEqual(lenses(effect), [`1: Compared with origin/main: ${said}`, '1: Stop Comparing']);
    });
  }
});
