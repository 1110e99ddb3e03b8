import { deepStrictEqual } from 'node:assert/strict';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';
import { findingTestTokens } from '../../../server/src/graph-tests/test-tokens.ts';
import { toEnd } from '../../../server/src/model/steps.ts';

/** Each token as its type and text. */
function tokensOf(text: string): readonly string[] {
  return toEnd(findingTestTokens(parseGraphTests(text))).map(
    ({ type, range }) => `${type} ${text.slice(range.start, range.end)}`,
  );
}

describe('semantic tokens of tests with given rows', () => {
  it('are the names of the graph and its data source, in text order', () => {
    const text = `graph: shop.entity.yaml
columns:
  orders: { id: { type: integer, key: true } }
tests:
  - name: an order
    given:
      orders: [{ id: 7, state: Open }]
    expect:
      events: [{ activity: "Place Order", entity: { type: order, key: K }, properties: { state: Open } }]
      directlyFollows: [[Place Order, Pay]]
      relations: [{ relationship: settles, source: P1, target: { type: order, key: 7 } }]
      rules: { Orders are paid: { broken: 0 } }
`;
    deepStrictEqual(tokensOf(text), [
      'namespace shop.entity.yaml',
      ...['class orders', 'property id', 'type integer'],
      ...['class orders', 'property id', 'property state'],
      ...['event "Place Order"', 'type order', 'property state'],
      ...['event Place Order', 'event Pay'],
      ...['event settles', 'type order'],
      'event Orders are paid',
    ]);
  });

  it('do not exist in a broken or an empty text', () => {
    deepStrictEqual([tokensOf(''), tokensOf('tests: ['), tokensOf('tests: [1, null, [a]]\ngraph:')], [[], [], []]);
  });
});
