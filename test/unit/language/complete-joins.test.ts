import assert from 'node:assert/strict';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withCursor } from './marked-text.ts';
import { catalog as shop, sources } from './shop-catalog.ts';

const [orders, ...others] = shop.objects;
const reference = { dataObject: 'customers', columns: ['id'] };
const foreignKeys = [{ name: 'orders_customer_fk', columns: ['customer_id'], references: reference }];
const catalog = { ...shop, objects: [...(orders ? [{ ...orders, foreignKeys }] : []), ...others] };

const head = `elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at }
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
relationships:
  - source: Place Order
    target: Win Customer
    mappings:
`;

describe('suggested mappings in completion', () => {
  for (const marked of [`${head}      - <|>`, `${head}      <|>`]) {
    it(`are inserted by one item: ${JSON.stringify(marked.slice(head.length))}`, () => {
      const { text, offset } = withCursor(marked);
      const proposals = completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset);
      const sorted = proposals.toSorted((one, other) => ((one.sortText ?? '') < (other.sortText ?? '') ? -1 : 1));
      const [first] = sorted;
      assert.equal(first?.label, 'customer_id = id');
      assert.equal(first.detail, 'foreign key orders_customer_fk');
      assert.equal(
        applyEdits(text, [{ range: first.replace, newText: first.insertText }]),
        `${head}      - { source: customer_id, target: id }`,
      );
    });
  }
  it('are offered in mappings only', () => {
    const { text, offset } = withCursor('elements:\n  - <|>');
    const labels = completeEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, offset).map(
      ({ label }) => label,
    );
    assert.ok(!labels.includes('customer_id = id'));
  });
});
