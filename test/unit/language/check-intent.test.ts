import assert from 'node:assert/strict';
import type { IntentCheck } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { checkingIntent } from '../../../server/src/language/validation/check-intent.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { sqlValidatorsOf } from '../../../server/src/sql/sql-validator-of.ts';
import { catalog, sources } from './shop-catalog.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - { activityName: Place Order, dataObject: orders, startTimestamp: placed_at }
  - { activityName: Win Customer, dataObject: customers, key: id, startTimestamp: since }
relationships:
  - { source: Place Order, target: Win Customer, mappings: [{ source: customer_id, target: id }] }
`;

async function check(intent: CanvasIntent): Promise<IntentCheck> {
  const result = toEnd(
    checkingIntent({ text }, intent, {
      catalog,
      sources,
      ...(await sqlValidatorsOf(parseEntityGraph(text).graph, sources)),
    }),
  );
  assert.ok('problems' in result, JSON.stringify(result));
  return result;
}

describe('check of an intent', () => {
  it('reports problems per field, by the rules of the file', async () => {
    const { problems } = await check({
      kind: 'configureElement',
      element: 'Place Order',
      values: { startTimestamp: 'placed', where: 'orders.id >' },
    });
    assert.deepEqual(
      problems.map(({ code, property, excerpt }) => [code, property, excerpt]),
      [
        ['unknown-column', 'startTimestamp', 'placed'],
        ['sql-syntax', 'where', problems[1]?.excerpt],
      ],
    );
  });
  it('accepts a valid draft', async () => {
    assert.deepEqual(await check({ kind: 'configureElement', element: 'Place Order', values: { key: ['id'] } }), {
      problems: [],
    });
  });
  it('describes the join in words', async () => {
    const values = { mappings: [{ source: 'customer_id', target: 'id' }] };
    assert.deepEqual(
      await check({ kind: 'configureRelationship', relationship: 'Place Order → Win Customer', values }),
      {
        problems: [],
        summary: [
          ...['Each ', { name: 'Place Order' }, ' is linked to the ', { name: 'Win Customer' }],
          ' whose id equals its customer_id.',
        ],
      },
    );
    const { summary, problems } = await check({
      kind: 'configureRelationship',
      relationship: 'Place Order → Win Customer',
      values: { mappings: [...values.mappings, { source: 'placed_at', operator: '>=', target: 'sinc' }] },
    });
    assert.deepEqual(summary, [
      ...['Each ', { name: 'Place Order' }, ' is linked to every ', { name: 'Win Customer' }],
      " where its customer_id equals the other's id, and its placed_at is at least the other's sinc.",
    ]);
    assert.deepEqual(
      problems.map(({ property }) => property),
      ['mappings.1.target'],
    );
  });
});
