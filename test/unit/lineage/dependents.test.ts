import assert from 'node:assert/strict';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { dependentsSentence } from '../../../server/src/lineage/dependents.ts';
import { catalog } from '../language/shop-catalog.ts';

const text = (fields: {
  readonly time?: string;
  readonly where?: string;
  readonly property?: string;
  readonly mapped?: string;
}): string =>
  `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    entityType: order
    key: id
    startTimestamp: ${fields.time ?? 'placed_at'}
    where: ${fields.where ?? 'note IS NOT NULL'}
    properties: [{ column: ${fields.property ?? 'note'}, name: remark }]
  - { activityName: Join, dataObject: customers, key: id, entityType: member, startTimestamp: since }
relationships:
  - { name: orders of, source: Join, target: Place Order, mappings: [{ source: id, target: ${fields.mapped ?? 'customer_id'} }] }
rules:
  - { name: Remarked, each: { activity: Place Order }, expect: [{ sql: remark <> '' }] }
  - { name: Members order, each: { entityType: member }, expect: [{ activity: Place Order }] }
  - { name: Joined, each: { entityType: member }, expect: [{ activity: Join }] }
measures:
  - { name: Orders, each: { entityType: order }, count: { activity: Place Order } }
`;

const messages = (fields: Parameters<typeof text>[0]): readonly string[] =>
  validateEntityGraph({ text: text(fields), catalog })
    .filter(({ code, severity }) => severity === 'error' && code !== 'unknown-data-source')
    .map(({ message }) => message);

describe('what depends on a column that is gone', () => {
  it('is named by the mistake: rules and measures over its property, its rows, its time or its relationship', () => {
    assert.deepEqual(messages({}), []);
    for (const [fields, sentence] of [
      [{ property: 'remark_text' }, 'Rule Remarked depends on it.'],
      [{ time: 'placed' }, 'Rule Remarked, rule Members order and measure Orders depend on it.'],
      [{ mapped: 'client' }, 'Rule Members order depends on it.'],
    ] as const) {
      const found = messages(fields);
      assert.equal(found.length, 1, found.join('\n'));
      assert.ok(found[0]?.endsWith(` ${sentence}`), found[0]);
    }
  });

  it('is a sentence of six names at most', () => {
    const names = Array.from({ length: 8 }, (_, place) => `rule ${place}`);
    assert.equal(dependentsSentence(names), 'Rule 0, rule 1, rule 2, rule 3, rule 4, rule 5 and 2 more depend on it.');
  });
});
