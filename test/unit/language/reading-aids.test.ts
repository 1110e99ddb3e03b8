import assert from 'node:assert/strict';
import { findingLinks } from '../../../server/src/language/document-links.ts';
import { columnTypeHints, entityCountHints } from '../../../server/src/language/inlay-hints.ts';
import { linkedNames } from '../../../server/src/language/names.ts';
import { selectionRanges } from '../../../server/src/language/selection-ranges.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { toEnd } from '../../../server/src/model/steps.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { withCursor, withRanges } from './marked-text.ts';
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

describe('links, selection, linked editing and inlay hints', () => {
  const { graph } = parseEntityGraph(text);

  /** A text with marked links. */
  const links: readonly (readonly [what: string, marked: string, kind?: 'url' | 'path'])[] = [
    ['pages', 'elements:\n  - processContext: { links: [‹|https://wiki.example/orders|›, no page] }\n', 'url'],
    ['addresses in quotes', 'dataSources:\n  a: { baseUrl: ‹|"https://api.example/v1"|› }\n', 'url'],
    ['files, not patterns', 'dataSources:\n  a: { kind: csv, path: [‹|data/a.csv|›, "data/*.csv"] }\n', 'path'],
    ['certificates', 'dataSources:\n  b:\n    ssl: { ca: ‹|certs/ca.pem|›, mode: verify-full }\n', 'path'],
    ['no columns', 'elements:\n  - { key: id, startTimestamp: at.csv }\n'],
    ['no references to secrets', 'dataSources:\n  a: { ssl: { ca: "${env:CA}.pem" } }\n'],
    ['nothing of a text that is no group', '- https://wiki.example\n'],
  ];
  for (const [what, marked, kind] of links) {
    it(`document links lead to ${what}`, () => {
      const { text: plain, ranges } = withRanges(marked);
      const found = toEnd(findingLinks(parseYaml(plain)));
      assert.deepEqual(
        found.map(({ range, target }) => [target.kind, range]),
        ranges.map((range) => [kind, range]),
      );
    });
  }

  /** A text with a cursor, and the selections step by step, without the file and the top level. */
  const selections: readonly (readonly [what: string, marked: string, grown: readonly string[]])[] = [
    ['a value', text.replace('placed_at', 'plac<|>ed_at'), ['startTimestamp: placed_at', 'placed_at']],
    ['a key', text.replace('startTimestamp', 'start<|>Timestamp'), ['startTimestamp: placed_at', 'startTimestamp']],
    [
      'one of several words',
      text.replace('Place Order', 'Pla<|>ce Order'),
      ['activityName: Place Order', 'Place Order', 'Place'],
    ],
    ['an item between brackets', text.replace('[note]', '[no<|>te]'), ['properties: [note]', '[note]', 'note']],
    [
      'a mapping',
      text.replace('customer_id', 'customer<|>_id'),
      ['{ source: id, target: customer_id }', 'target: customer_id', 'customer_id'],
    ],
    [
      'SQL in a block',
      `elements:\n  - where: |\n      id > 5\n      AND no<|>te IS NULL\n`,
      ['|\n      id > 5\n      AND note IS NULL', 'note'],
    ],
  ];
  for (const [what, marked, grown] of selections) {
    it(`selection expands from ${what} to the file`, () => {
      const { text: plain, offset } = withCursor(marked);
      const ranges = selectionRanges(parseYaml(plain), offset);
      const texts = ranges.map(({ start, end }) => plain.slice(start, end));
      assert.deepEqual(texts.slice(-grown.length), grown);
      assert.equal(texts[0], plain);
      for (const [index, { start, end }] of ranges.entries()) {
        const outer = ranges[index - 1];
        assert.ok(!outer || (outer.start <= start && end <= outer.end && outer.end - outer.start > end - start));
      }
    });
  }

  /** A text with a cursor, and the names edited together. */
  const linked: readonly (readonly [what: string, from: string, marked: string, names: number])[] = [
    ['an activity and the ends of its relationships', 'activityName: Place', 'activityName: Pla<|>ce', 3],
    ['the same from an end', 'target: Place', 'target: Pla<|>ce', 3],
    ['only what is written alike', 'source: Place Order', "source: 'Place<|> Order'", 0],
    ['no data objects', 'dataObject: orders', 'dataObject: ord<|>ers', 0],
    ['no keys', 'target: Place', 'tar<|>get: Place', 0],
  ];
  for (const [what, from, marked, names] of linked) {
    it(`linked editing covers ${what}`, () => {
      const { text: plain, offset } = withCursor(text.replace(from, marked));
      const ranges = linkedNames(parseEntityGraph(plain).graph, plain, offset) ?? [];
      assert.deepEqual(
        ranges.map(({ start, end }) => plain.slice(start, end)),
        Array.from({ length: names }, () => 'Place Order'),
      );
    });
  }

  it('inlay hints show types of time columns', () => {
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
    it(`inlay hints show entity counts of the last import: ${name}`, () => {
      const elements = [{ activityName, events: 20_000, entities }];
      const totals = { events: 20_000, entities };
      assert.deepEqual(entityCountHints(graph, { elements, entities: [], relationships: [], totals }), expected);
    });
  }
});
