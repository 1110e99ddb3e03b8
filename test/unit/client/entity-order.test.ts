import assert from 'node:assert/strict';
import { inNameOrder } from '../../../client/src/entity-order.ts';
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
      inNameOrder(named).map(({ name, path, isNamesake = false }) => [name, path, isNamesake]),
      [
        ['Graph 1', '6.entity.yaml', false],
        ['graph 2', '8.entity.yaml', false],
        ['Graph 10', '9.entity.yaml', false],
        ['Orders', '5.entity.yaml', true],
        ['Orders', '7.entity.yaml', true],
      ],
    );
  });
});
