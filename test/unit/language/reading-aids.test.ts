import assert from 'node:assert/strict';
import { documentLinks } from '../../../server/src/language/document-links.ts';
import { columnTypeHints, entityCountHints } from '../../../server/src/language/inlay-hints.ts';
import { selectionRanges } from '../../../server/src/language/selection-ranges.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { withCursor } from './marked-text.ts';
import { catalog } from './shop-catalog.ts';

const text = `dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
    properties: [note]
    processContext: { links: [https://wiki.example/orders] }
relationships:
  - source: Place Order
    target: Place Order
    mappings: [{ source: id, target: customer_id }]
`;

describe('reading aids', () => {
  const { graph } = parseEntityGraph(text);

  it('links lead to pages and files, patterns to nothing', () => {
    const targets = (source: string): unknown => documentLinks(parseYaml(source)).map(({ target }) => target.value);
    assert.deepEqual(targets(text), ['https://wiki.example/orders']);
    const sources =
      'dataSources:\n  a: { kind: csv, path: [data/a.csv, "data/*.csv"] }\n  b: { ssl: { ca: certs/ca.pem } }\n';
    assert.deepEqual(targets(sources), ['data/a.csv', 'certs/ca.pem']);
  });

  it('selection grows from the word to the file', () => {
    const { text: plain, offset } = withCursor(text.replace('placed_at', 'plac<|>ed_at'));
    const grown = selectionRanges(parseYaml(plain), offset).map(({ start, end }) => plain.slice(start, end));
    assert.deepEqual(grown.slice(-2), ['startTimestamp: placed_at', 'placed_at']);
    assert.equal(grown[0], plain);
    for (const [index, each] of grown.entries()) if (index > 0) assert.ok(grown[index - 1]?.includes(each));
  });

  it('hints show the types of times', () => {
    assert.deepEqual(columnTypeHints(graph, catalog), [
      { offset: text.indexOf('placed_at') + 'placed_at'.length, label: 'timestamp without time zone' },
    ]);
  });

  const offset = text.indexOf('Place Order') + 'Place Order'.length;
  const counts: readonly (readonly [string, string, number, readonly unknown[]])[] = [
    ['many', 'Place Order', 12345, [{ offset, label: '12,345 entities' }]],
    ['one', 'Place Order', 1, [{ offset, label: '1 entity' }]],
    ['none', 'Place Order', 0, [{ offset, label: '0 entities' }]],
    ['those of an element that had another name then', 'Order', 7, []],
  ];
  for (const [name, activityName, entities, expected] of counts) {
    it(`hints show how many entities an import brought: ${name}`, () => {
      const elements = [{ activityName, events: 20_000, entities }];
      const totals = { events: 20_000, entities };
      assert.deepEqual(entityCountHints(graph, { elements, relationships: [], totals }), expected);
    });
  }
});
