import assert from 'node:assert/strict';
import { inCanvasWords } from '../../../server/src/language/canvas-words.ts';
import { validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { graphNotes, problemAt, withNotes } from '../../../server/src/language/graph-notes.ts';
import { toGraphView } from '../../../server/src/language/to-graph-view.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { shop } from '../../webview/canvas-host.ts';
import { sources } from './shop-catalog.ts';

const text = `version: 1
name: Shop
dataSource: shop
dataObjects: [orders, customers]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed
    properties: [numbr]
  - activityName: Win Customer
    dataObject: customers
entities:
  - { name: Country, dataObject: customers }
relationships:
  - name: is placed by
    source: Place Order
    target: Win Customer
    mappings: [{ source: customer, target: id }]
`;
const parsed = parseEntityGraph(text);
const view = toGraphView(parsed, { uri: 'file:///shop.entity.yaml', version: 1 });
const problems = validateEntityGraph({ text, parsed, sources, catalog: shop });
const counts = {
  elements: [{ activityName: 'Place Order', events: 12, entities: 10 }],
  entities: [{ name: 'Country', entities: 3 }],
  relationships: [
    {
      name: 'is placed by',
      pairs: 7,
      source: { name: 'Place Order', entities: 10, related: 7 },
      target: { name: 'Win Customer', entities: 4, related: 4 },
    },
  ],
  totals: { events: 12, entities: 10 },
};

describe('notes of a graph view', () => {
  const noted = withNotes(view, graphNotes(view, parsed, { problems, imported: { isModifiedSince: true, counts } }));
  const [order, customer, country] = noted.elements;
  const [link] = noted.relationships;

  it('assign every problem to its entry, in the words of the canvas', () => {
    const messages = order?.problems?.map(({ severity, message, range }) => [severity, message, range.start.line]);
    assert.deepEqual(
      messages?.map(([severity, , line]) => [severity, line]),
      [
        ['error', 7],
        ['error', 8],
      ],
    );
    assert.match(String(messages?.[0]?.[1]), /placed/);
    assert.match(String(messages?.[1]?.[1]), /numbr/);
    assert.match(link?.problems?.[0]?.message ?? '', /customer/);
  });

  it('has the activities of the last import while they are those of the column', () => {
    const activities = { column: 'status', names: ['Open', 'Pay'], count: 2 };
    const imported = {
      isModifiedSince: false,
      counts: { ...counts, elements: [{ activityName: 'Place Order', events: 12, entities: 10, activities }] },
    };
    const shown = (column: string): unknown => {
      const log = parseEntityGraph(text.replace('placed\n', `placed\n    activityColumn: ${column}\n`));
      const logView = toGraphView(log, { uri: 'file:///shop.entity.yaml', version: 1 });
      return withNotes(logView, graphNotes(logView, log, { problems: [], imported })).elements[0]?.imported;
    };
    assert.deepEqual(shown('status'), { events: 12, entities: 10, activities });
    assert.deepEqual(shown('step'), { events: 12, entities: 10 });
  });

  it('address each problem by its entry, also after text above has moved it', () => {
    const moved = `# A comment.\n\n${text}`;
    const movedParsed = parseEntityGraph(moved);
    const movedProblems = validateEntityGraph({ text: moved, parsed: movedParsed, sources, catalog: shop });
    const shown = [
      ...noted.elements.map(({ id, problems: own = [] }) => ({ list: 'elements' as const, entry: id, own })),
      ...noted.relationships.map(({ id, problems: own = [] }) => ({ list: 'relationships' as const, entry: id, own })),
    ];
    const addresses = shown.flatMap(({ list, entry, own }) => own.map(({ id }) => ({ list, entry, problem: id })));
    assert.equal(new Set(addresses.map((address) => JSON.stringify(address))).size, 3);
    const found = addresses.map((address) => problemAt(address, movedParsed.graph, movedProblems)?.message);
    assert.deepEqual(
      found,
      addresses.map((address) => problemAt(address, parsed.graph, problems)?.message),
    );
    assert.ok(found.every((message) => message !== undefined));
    assert.equal(
      problemAt({ list: 'elements', entry: 'Country', problem: addresses[0]!.problem }, parsed.graph, problems),
      undefined,
    );
  });

  it('leave out problems that the view shows itself', () => {
    assert.equal(customer?.problems, undefined);
    assert.equal(customer?.unconfigured?.remedy, 'Choose the column that marks when a record enters this activity.');
  });

  it('have the numbers of the last import', () => {
    assert.deepEqual(noted.imported, { isModifiedSince: true });
    assert.deepEqual(order?.imported, { events: 12, entities: 10 });
    assert.equal(customer?.imported, undefined);
    assert.deepEqual(link?.imported, {
      pairs: 7,
      source: { name: 'Place Order', entities: 10, related: 7 },
      target: { name: 'Win Customer', entities: 4, related: 4 },
    });
    assert.deepEqual(country?.imported, { entities: 3 });
  });

  it('leave the view unchanged when there are none', () =>
    assert.deepEqual(withNotes(view, { elements: new Map(), relationships: new Map() }), view));
});

describe('words of the canvas', () => {
  const sentences: readonly (readonly [string, string])[] = [
    ['startTimestamp is missing.', 'Start Timestamp is missing.'],
    ['Set startTimestamp and dataObject.', 'Set Start Timestamp and Data Object.'],
    [
      'Column "startTimestamp" does not exist in "dataObject".',
      'Column "startTimestamp" does not exist in "dataObject".',
    ],
    ['orders.startTimestampOld is no column.', 'orders.startTimestampOld is no column.'],
    ['Complete crossTable.', 'Complete Cross Table.'],
  ];
  for (const [given, expected] of sentences) it(given, () => assert.equal(inCanvasWords(given), expected));
});
