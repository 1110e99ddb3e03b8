import assert from 'node:assert/strict';
import { differingParts, inNameOrder } from '../../../client/src/entity-order.ts';
import { entityRows } from '../../webview/entity-rows.ts';

describe('order of entity graphs', () => {
  it('is by name with natural number order, then path; equal names are marked', () => {
    const [any] = entityRows;
    assert.ok(any);
    const named = ['Graph 10', 'graph 2', 'Orders', 'Graph 1', 'Orders'].map((name, index) => ({
      ...any,
      ...{ name, path: `${9 - index}.entity.yaml` },
    }));
    assert.deepEqual(
      inNameOrder(named).map(({ name, path, differingPath }) => [name, path, differingPath]),
      [
        ['Graph 1', '6.entity.yaml', undefined],
        ['graph 2', '8.entity.yaml', undefined],
        ['Graph 10', '9.entity.yaml', undefined],
        ['Orders', '5.entity.yaml', '5.entity.yaml'],
        ['Orders', '7.entity.yaml', '7.entity.yaml'],
      ],
    );
  });

  for (const [paths, expected] of [
    [
      ['sales/eu/orders.entity.yaml', 'sales/us/orders.entity.yaml'],
      ['eu', 'us'],
    ],
    [
      ['orders.entity.yaml', 'eu/orders.entity.yaml'],
      ['./', 'eu'],
    ],
    [
      ['a/orders.entity.yaml', 'a/orders.entity.json'],
      ['orders.entity.yaml', 'orders.entity.json'],
    ],
    [
      ['x/a/b/o.yaml', 'x/c/o.yaml', 'x/a/d/o.yaml'],
      ['a/b', 'c', 'a/d'],
    ],
  ] as const) {
    it(`${paths.join(' and ')} differ in ${expected.join(' and ')}`, () => {
      assert.deepEqual(differingParts(paths), expected);
    });
  }
});
