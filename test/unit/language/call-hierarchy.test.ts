import assert from 'node:assert/strict';
import { elementNamedAt, relatedElements } from '../../../server/src/language/call-hierarchy.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { sourceName } from '../../../server/src/query/query-problems.ts';
import { withCursor } from './marked-text.ts';

const text = `dataSource: shop
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders }
  - { activityName: Ship Order, dataObject: orders }
  - { activityName: Return Order }
relationships:
  - { name: ships, source: Place Order, target: Ship Order }
  - { source: Place Order, target: Ship Order }
  - { name: undoes, source: Return Order, target: Place Order }
  - { source: Place Order, target: Place Order }
  - { source: Place Order, target: Pay Order }
  - { source: Place Order }
`;

describe('call hierarchy of an element', () => {
  const { graph } = parseEntityGraph(text);
  const cases: readonly (readonly [string, 'incoming' | 'outgoing', readonly string[]])[] = [
    ['Place Order', 'incoming', ['Return Order (undoes) at 10', 'Place Order () at 11']],
    ['Place Order', 'outgoing', ['Ship Order (ships) at 8, 9', 'Place Order () at 11']],
    ['Ship Order', 'incoming', ['Place Order (ships) at 8, 9']],
    ['Ship Order', 'outgoing', []],
    ['Pay Order', 'outgoing', []],
  ];
  for (const [activity, direction, expected] of cases) {
    it(`${direction} of ${activity}`, () => {
      const said = relatedElements(graph, activity, direction).map(({ element, names, places }) => {
        const lines = places.map(({ start }) => text.slice(0, start).split('\n').length);
        return `${sourceName(element)?.value ?? ''} (${names.join()}) at ${lines.join(', ')}`;
      });
      assert.deepEqual(said, expected);
    });
  }

  it('ranges mark the name of the target element', () => {
    for (const direction of ['incoming', 'outgoing'] as const) {
      const [first] = relatedElements(graph, 'Place Order', direction);
      const [place] = first?.places ?? [];
      const named = direction === 'incoming' ? 'Place Order' : 'Ship Order';
      assert.equal(place && text.slice(place.start, place.end), named);
    }
  });

  const cursors: readonly (readonly [string, string, string | undefined])[] = [
    ['an activity name', '- { activityName: Ship<|> Order', 'Ship Order'],
    ['the end of a relationship', 'name: undoes, source: Return Order, target: Place<|> Order', 'Place Order'],
    ['an end without element', 'target: Pay<|> Order', undefined],
    ['a data object', 'dataObjects: [ord<|>ers]', undefined],
    ['a key', 'source: Return Order, targ<|>et: Place', undefined],
  ];
  for (const [what, marked, expected] of cursors) {
    it(`starts at ${what}: ${expected ?? 'nothing'}`, () => {
      const { text: around, offset } = withCursor(marked);
      const at = text.indexOf(around) + offset;
      assert.ok(at >= offset);
      const found = elementNamedAt(graph, at);
      assert.equal(found && sourceName(found)?.value, expected);
    });
  }
});
