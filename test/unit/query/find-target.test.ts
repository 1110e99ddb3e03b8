import assert from 'node:assert/strict';
import { findTarget } from '../../../server/src/query/find-target.ts';
import { graphOf } from './graph-fixture.ts';

describe('findTarget', () => {
  const { graph } = graphOf(
    [{ activityName: 'Open' }, { activityName: 'A -> B' }],
    [
      { source: 'Open', target: 'Close' },
      { name: 'caused by', source: 'Open', target: 'Close' },
      { name: 'Open -> Close', source: 'x', target: 'y' },
      { source: 'A → B', target: 'C' },
      { source: 'Open' },
    ],
  );
  const index = (kind: 'element' | 'relationship', name: string) => {
    const found = findTarget(graph, { kind, name });
    if (found?.kind === 'element') return found.element.index;
    return found?.kind === 'relationship' ? found.relationship.index : undefined;
  };
  const cases: readonly (readonly ['element' | 'relationship', string, number | undefined])[] = [
    ['element', 'Open', 0],
    ['element', 'open', undefined],
    ['element', 'A -> B', 1],
    ['element', 'A → B', undefined],
    ['relationship', 'Open → Close', 0],
    ['relationship', 'caused by', 1],
    ['relationship', 'Open -> Close', 2],
    ['relationship', 'A -> B -> C', 3],
    ['relationship', 'A → B → C', 3],
    ['relationship', 'Open', undefined],
    ['relationship', 'Open → ?', 4],
  ];
  for (const [kind, name, expected] of cases) {
    it(`finds the ${kind} ${name}`, () => assert.equal(index(kind, name), expected));
  }
});
