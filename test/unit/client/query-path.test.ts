import assert from 'node:assert/strict';
import { queryPath } from '../../../client/src/query-path.ts';
import type { RowCondition } from '../../../protocol/query-results.ts';

describe('the path of a query document', () => {
  const order = { kind: 'element', name: 'Order' } as const;
  const pathOf = (only?: RowCondition): string =>
    queryPath('/a/graph.entity.yaml', only ? { ...order, only } : order, 'sql');

  it('consists of graph, kind and name', () => {
    assert.equal(pathOf(), '/a/graph.entity.yaml/element/Order.sql');
    assert.equal(queryPath('a.yaml', { kind: 'plan', name: 'Import/All' }, 'http'), '/a.yaml/plan/Import∕All.http');
  });

  it('names the selected rows of a query', () => {
    assert.deepEqual(
      [
        pathOf({ kind: 'withoutKey' }),
        pathOf({ kind: 'empty', column: 'a/b' }),
        pathOf({ kind: 'repeated', columns: ['a', 'b'] }),
        pathOf({ kind: 'otherValue', column: 'a', expected: ['x', 'y'] }),
      ],
      [
        '/a/graph.entity.yaml/element/Order (no key).sql',
        '/a/graph.entity.yaml/element/Order (no a∕b).sql',
        '/a/graph.entity.yaml/element/Order (same a, b).sql',
        '/a/graph.entity.yaml/element/Order (other a).sql',
      ],
    );
  });
});
