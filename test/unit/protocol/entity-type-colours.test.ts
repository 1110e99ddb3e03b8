import assert from 'node:assert/strict';
import {
  entityTypeColours,
  entityTypesInOrder,
  plainEntityTypeColours,
} from '../../../protocol/entity-type-colours.ts';

describe('colours of entity types', () => {
  it('follow the first appearance: elements, entries of entities, row correlations', () => {
    const elements = [
      { entityType: 'order', dataObject: 'orders', correlatesWith: [{ entityType: 'item' }, { entityType: 'clerk' }] },
      { dataObject: 'payments' },
      { dataObject: 'log', ownEntity: false, correlatesWith: [{ entityType: 'order' }, {}] },
      {},
    ];
    const types = entityTypesInOrder(elements, [{ entityType: 'clerk', dataObject: 'staff' }]);
    assert.deepEqual(types, ['order', 'payments', 'clerk', 'item']);
    assert.equal(entityTypeColours(types).get('order'), 'var(--vscode-charts-blue)');
  });

  it('are the palette of the theme, then the palette mixed with the colour of texts, for twelve types', () => {
    const types = Array.from({ length: 13 }, (_, index) => `t${index}`);
    for (const colours of [entityTypeColours(types), plainEntityTypeColours(types)]) {
      assert.equal(new Set(colours.values()).size, 12);
      assert.equal(colours.get('t12'), colours.get('t0'));
    }
    assert.equal(
      entityTypeColours(types).get('t6'),
      'color-mix(in srgb, var(--vscode-charts-blue), var(--vscode-foreground) 45%)',
    );
    assert.match(plainEntityTypeColours(types).get('t6') ?? '', /^#[0-9a-f]{6}$/);
  });
});
