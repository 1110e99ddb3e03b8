import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { completeGraphTests } from '../../../server/src/graph-tests/complete-tests.ts';
import { graphColumns } from '../../../server/src/graph-tests/graph-columns.ts';
import { hoverGraphTests } from '../../../server/src/graph-tests/hover-tests.ts';
import { definitionInGraph, placeInTests } from '../../../server/src/graph-tests/name-in-tests.ts';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';
import { type TestedSources, testedGraph } from '../../../server/src/graph-tests/tested-graph.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const graphText = `version: 1
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Place Order, entityType: order, dataObject: orders, key: id, startTimestamp: placed, properties: [amount] }
  - { activityName: Pay Order, entityType: order, dataObject: payments, key: number, startTimestamp: paid }
relationships:
  - { name: follows, source: Place Order, target: Place Order, mappings: [{ source: before, target: id }] }
rules:
  - { name: "Orders: paid", description: As agreed., each: { activity: Place Order }, expect: [{ sql: amount > 0 }] }
`;

const catalog: Catalog = {
  dataSource: 'files',
  kind: 'csv',
  dialect: 'duckdb',
  complete: true,
  readAt: '2024-01-01T00:00:00.000Z',
  warnings: [],
  objects: [
    {
      name: 'orders',
      kind: 'file',
      path: ['orders'],
      primaryKey: [],
      foreignKeys: [],
      statistics: { columnCount: 2 },
      columns: [
        { name: 'id', type: 'BIGINT', sense: 'integer', nullable: true, primaryKey: false },
        { name: 'order date', type: 'TIMESTAMP', sense: 'timestamp', nullable: true, primaryKey: false },
      ],
    },
  ],
};

const { graph } = parseEntityGraph(graphText);
const sources: TestedSources = [
  {
    origin: { dataSource: 'files', kind: 'csv', dialect: 'duckdb' },
    known: catalog,
    named: graphColumns(graph, 'files', 'duckdb'),
  },
];

type Known = Parameters<typeof completeGraphTests>[1]['tested'];

/** The labels of completion items at `|`, in the order of an editor. */
function labels(marked: string, tested: Known): readonly string[] {
  const sorted = proposals(marked, tested).toSorted((one, other) =>
    (one.sortText ?? one.label).localeCompare(other.sortText ?? other.label),
  );
  return sorted.map(({ label }) => label);
}

function proposals(marked: string, tested: Known): ReturnType<typeof completeGraphTests> {
  const offset = marked.indexOf('|');
  const text = marked.slice(0, offset) + marked.slice(offset + 1);
  return completeGraphTests(parseGraphTests(text).yaml, { tested, graphFiles: ['shop.entity.yaml'] }, offset);
}

/** The text after the only completion item with this label was chosen at `|`. */
function completed(marked: string, label: string): string {
  const text = marked.replace('|', '');
  const [found, ...others] = proposals(marked, { graph, sources }).filter((each) => each.label === label);
  ok(found && others.length === 0, `one item ${label}`);
  const { start, end } = found.replace;
  return text.slice(0, start) + found.insertText + text.slice(end);
}

const one = (test: string): string => `graph: shop.entity.yaml\ntests:\n  - name: one\n    ${test}\n`;

describe('completion of tests with given rows', () => {
  const cases: readonly (readonly [title: string, marked: string, ...labels: string[]])[] = [
    ['the fields of the file', '|', 'New tests', 'graph', 'tests', 'columns'],
    ['the fields of a test that it does not have', one('g|'), 'expect', 'given', 'columns'],
    ['entity graphs beside the file', 'graph: |\n', 'shop.entity.yaml'],
    ['data objects', one('given:\n      |'), 'orders', 'payments'],
    ['data objects that are not given yet', one('given:\n      orders: []\n      |'), 'payments'],
    ['columns from the catalog', one('given: { orders: [{ | }] }'), 'id', 'order date'],
    ['columns from the catalog in a new row', one('given:\n      orders:\n        - |'), 'id', 'order date'],
    ['columns that the row does not have', one('given:\n      orders:\n        - id: 1\n          |'), 'order date'],
    ['columns that the graph names where no catalog has them', one('given: { payments: [{ | }] }'), 'number', 'paid'],
    ['activities', one('expect: { events: [{ activity: | }] }'), 'Place Order', 'Pay Order'],
    ['activities of pairs', one('expect: { directlyFollows: [[Place Order, |]] }'), 'Place Order', 'Pay Order'],
    ['entity types', one('expect: { entities: [{ type: | }] }'), 'order'],
    ['relationships', one('expect: { relations: [{ relationship: | }] }'), 'follows'],
    ['lifecycles', one('expect: { events: [{ lifecycle: | }] }'), 'start', 'change', 'end'],
    ['rules', one('expect:\n      rules:\n        |'), 'Orders: paid'],
    [
      'the numbers of a rule',
      one('expect: { rules: { "Orders: paid": { | } } }'),
      'judged',
      'concerned',
      'kept',
      'broken',
      'pending',
      'undecided',
    ],
    ['properties of the activity', one('expect: { events: [{ activity: Place Order, properties: { | } }] }'), 'amount'],
    ['columns of a declaration', 'graph: a\ncolumns:\n  orders:\n    |', 'id', 'order date'],
  ];
  for (const [title, marked, ...expected] of cases) {
    it(`offers ${title}`, () => deepStrictEqual(labels(marked, { graph, sources }), expected));
  }

  it('offers the types of the engine for a column', () => {
    const types = labels('graph: a\ncolumns:\n  orders:\n    id: |\n', { graph, sources });
    for (const type of ['VARCHAR', 'BIGINT', 'TIMESTAMP']) ok(types.includes(type), type);
  });

  it('offers fields while the graph is not known, and no names', () => {
    deepStrictEqual(labels(one('given:\n      |'), undefined), []);
    deepStrictEqual(labels(one('expect: { events: [{ lifecycle: | }] }'), undefined), ['start', 'change', 'end']);
  });

  it('writes names with the colon that a key needs, in quotes where YAML needs them', () => {
    strictEqual(completed(one('given:\n      or|'), 'orders'), one('given:\n      orders:'));
    strictEqual(
      completed(one('given: { orders: [{ or| }] }'), 'order date'),
      one('given: { orders: [{ order date:  }] }'),
    );
    strictEqual(
      completed(one('expect:\n      rules:\n        |'), 'Orders: paid'),
      one("expect:\n      rules:\n        'Orders: paid':"),
    );
  });
});

describe('names in tests with given rows', () => {
  const text = `graph: shop.entity.yaml
tests:
  - name: one
    given: { orders: [{ id: 1 }] }
    expect:
      events: [{ activity: Pay Order, entity: { type: order, key: 1 } }]
      relations: [{ relationship: follows }]
      rules: { "Orders: paid": { broken: 0 } }
`;
  const file = parseGraphTests(text);
  const tested = testedGraph(file, graph, sources);
  const hover = (at: string): string | undefined =>
    hoverGraphTests(file, tested, text.indexOf(at) + 1)?.markdown.source;

  it('hover shows data objects and columns of the catalog', () => {
    strictEqual(hover('orders'), '**orders** — file · 2 columns\n\n`id` BIGINT  \n`order date` TIMESTAMP');
    strictEqual(hover('id: 1'), '**id** — BIGINT');
  });

  it('hover explains fields, and shows the description of a rule', () => {
    strictEqual(hover('relations'), 'All related pairs of entities, in any order.');
    strictEqual(hover('"Orders: paid"'), '**Orders: paid**\n\nAs agreed.');
  });

  const definitions: readonly (readonly [name: string, place: string])[] = [
    ['Pay Order', 'Pay Order'],
    ['order, key', 'order'],
    ['follows', 'follows'],
    ['"Orders: paid"', '"Orders: paid"'],
    ['orders', 'orders'],
  ];
  for (const [name, place] of definitions) {
    it(`have a definition in the graph: ${name}`, () => {
      const found = placeInTests(file, text.indexOf(name) + 1);
      const range = found && definitionInGraph(graph, found);
      strictEqual(range && graphText.slice(range.start, range.end), place);
    });
  }

  it('have no definition for values', () => {
    const found = placeInTests(file, text.indexOf('1 }'));
    ok(found);
    strictEqual(definitionInGraph(graph, found), undefined);
  });
});
