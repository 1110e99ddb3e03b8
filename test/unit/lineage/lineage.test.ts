import assert from 'node:assert/strict';
import { lineageMermaid } from '../../../server/src/lineage/formats/mermaid.ts';
import { openLineageEvent } from '../../../server/src/lineage/formats/open-lineage.ts';
import { lineageOf } from '../../../server/src/lineage/lineage.ts';
import { outputWords } from '../../../server/src/lineage/output-words.ts';
import { columnAt, columnsBehind, columnsNamed, outputsOf, placesOf } from '../../../server/src/lineage/trace.ts';
import { untracedObjects } from '../../../server/src/lineage/untraced-objects.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { catalog } from '../language/shop-catalog.ts';

const text = `version: 1
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: orders
    entityType: order
    startTimestamp: placed_at
    joins: JOIN customers AS buyer ON buyer.id = orders.customer_id
    where: note IS NOT NULL
    correlatesWith:
      - { entityType: customer, key: customer_id, qualifier: ordered by }
    properties: [{ column: note, name: remark }, buyer.name]
  - activityName: Ship Order
    dataObject: orders
    entityType: order
    key: id
    startTimestamp: { expression: CAST(shipped_on AS timestamp) }
    properties: all
  - activityName: Join
    dataObject: customers
    entityType: member
    key: id
    startTimestamp: since
entities:
  - entityType: customer
    dataObject: customers
    key: id
    properties: [name]
relationships:
  - name: buys
    source: Place Order
    target: Join
    mappings:
      - { source: customer_id, operator: "=", target: id }
      - expression: source.placed_at >= target.since AND name <> ''
  - name: bridged
    source: Place Order
    target: customer
    crossTable:
      dataObject: orders
      sourceMappings: [{ source: id, cross: id }]
      targetMappings: [{ cross: customer_id, target: id }]
  - { name: whole, source: Join, target: Place Order, path: [both] }
  - { name: both, source: Join, target: Place Order, path: [buys] }
  - { name: circle, source: Join, target: Place Order, path: [circle] }
rules:
  - name: Shipped in time
    each: { entityType: order, where: remark <> 'x' }
    expect: [{ from: Place Order, to: Ship Order, atMost: 5d }]
  - name: Members buy
    each: { entityType: member }
    expect: [{ relationship: buys }]
  - name: Joined before
    each: { entityType: order }
    expect: [{ activity: Join }]
measures:
  - name: Remarks
    each: { entityType: order }
    value: remark
    by: [name]
  - name: Events
    each: { entityType: member }
    sql: entity.events * 2
  - name: Throughput
    each: { entityType: order }
    duration: {}
`;

const { graph } = parseEntityGraph(text);
const lineage = lineageOf(graph, catalog);

function behind(words: string): readonly string[] {
  const output = lineage.find((each) => outputWords(each) === words);
  assert.ok(output, `no ${words} in\n${lineage.map(outputWords).join('\n')}`);
  return columnsBehind(output)
    .map(({ dataObject, column, role }) => `${dataObject}.${column} ${role}`)
    .toSorted();
}

/** What chooses and joins the rows of the first element. */
const rows = ['customers.id join', 'orders.customer_id join', 'orders.note filter'];

const expected: readonly (readonly [words: string, columns: readonly string[]])[] = [
  ['Place Order · rows', rows],
  ['Place Order · key', [...rows, 'orders.id value']],
  ['Place Order · startTimestamp', [...rows, 'orders.placed_at value']],
  ['Place Order · correlation ordered by', [...rows, 'orders.customer_id value']],
  ['Place Order · property remark', [...rows, 'orders.note value']],
  ['Place Order · property buyer.name', [...rows, 'customers.name value']],
  ['Ship Order · rows', []],
  ['Ship Order · startTimestamp', ['orders.shipped_on computed']],
  ['Ship Order · property note', ['orders.note value']],
  ['customer · property name', ['customers.name value']],
  [
    'relationship buys',
    [
      ...rows,
      ...['customers.id comparison', 'customers.since comparison', 'orders.customer_id comparison'],
      ...['orders.placed_at comparison', 'orders.id value', 'customers.id value'],
    ],
  ],
  [
    'relationship bridged',
    [
      ...rows,
      ...['orders.id comparison', 'orders.customer_id comparison', 'customers.id comparison'],
      ...['orders.id value', 'customers.id value'],
    ],
  ],
  [
    'rule Shipped in time',
    [
      ...rows,
      ...['orders.id value', 'orders.placed_at value', 'orders.customer_id value', 'orders.note value'],
      'orders.shipped_on computed',
    ],
  ],
  ['measure Remarks', [...rows, 'orders.id value', 'orders.note value']],
  ['measure Events', ['customers.id value', 'customers.since value']],
  ['measure Throughput', [...rows, 'orders.id value', 'orders.placed_at value', 'orders.shipped_on computed']],
];

describe('lineage', () => {
  for (const [words, columns] of expected) {
    it(words, () => {
      assert.deepEqual(behind(words), columns.toSorted());
    });
  }

  it('a path comes from the relationships that it follows, paths included', () => {
    assert.deepEqual(behind('relationship whole'), behind('relationship buys'));
    assert.deepEqual(behind('relationship circle'), []);
  });

  it('a rule about related entities comes from the relationship, not from the times of the entities', () => {
    const found = behind('rule Members buy');
    assert.ok(found.includes('orders.customer_id comparison'));
    assert.ok(!found.includes('customers.since value'));
  });

  it('events of related entities come from the relationship that correlates them', () => {
    assert.ok(behind('rule Joined before').includes('customers.since value'));
    assert.ok(behind('rule Joined before').includes('orders.placed_at comparison'));
  });

  it('a column feeds what depends on it, directly or not', () => {
    const [column] = columnsNamed('orders.shipped_on', lineage);
    assert.ok(column);
    assert.deepEqual(outputsOf(column, lineage).map(outputWords), [
      'Ship Order · startTimestamp',
      'Ship Order · property shipped_on',
      'rule Shipped in time',
      'measure Throughput',
    ]);
  });

  it('the places of a column are those where the text names it', () => {
    const [column] = columnsNamed('customers.name', lineage);
    assert.ok(column);
    const named = placesOf(column, lineage).map(({ range }) => text.slice(range.start, range.end));
    assert.deepEqual(named, ['buyer.name', 'name']);
  });

  it('the column at a position is the one that the text names there, in SQL too', () => {
    const at = (excerpt: string): string | undefined => {
      const use = columnAt(text.indexOf(excerpt), lineage);
      return use && `${use.dataObject}.${use.column}`;
    };
    assert.equal(at('placed_at\n'), 'orders.placed_at');
    assert.equal(at('since AND'), 'customers.since');
    assert.equal(at('note IS'), 'orders.note');
    // The word stands for all columns, the name of the data object for its primary key.
    assert.equal(at('all\n'), undefined);
    assert.equal(at('orders\n'), undefined);
  });

  it('without a catalog names count as columns of the own data object', () => {
    const unknown = lineageOf(graph, undefined).find(
      (output) => outputWords(output) === 'Place Order · property remark',
    );
    assert.deepEqual(unknown && columnsBehind(unknown).map(({ dataObject, column }) => `${dataObject}.${column}`), [
      'orders.note',
    ]);
  });
});

describe('objects in subqueries', () => {
  const untracedIn = (where: string): readonly string[] =>
    untracedObjects(parseEntityGraph(text.replace('note IS NOT NULL', where)).graph, catalog).map(
      ({ of, dataObject }) => `${of}: ${dataObject}`,
    );

  it('are told where their columns are not traced', () => {
    for (const where of [
      'EXISTS (SELECT 1 FROM customers WHERE since > placed_at)',
      'id IN (SELECT o.id FROM orders AS o, customers c WHERE c.id = o.id)',
      'id IN (SELECT x.id FROM (SELECT 1 AS id) x JOIN customers ON customers.id = x.id)',
      'note = (WITH t AS (SELECT name FROM customers) SELECT name FROM t LIMIT 1)',
    ]) {
      const found = untracedIn(where);
      assert.ok(found.includes('Place Order: customers'), `${where}: ${found.join()}`);
    }
    assert.deepEqual(untracedIn('id IN (SELECT o.id FROM orders AS o)'), ['Place Order: orders']);
  });

  it('are none where nothing is left out', () => {
    assert.deepEqual(untracedIn('note IS NOT NULL'), []);
    assert.deepEqual(untracedIn('EXTRACT(year FROM orders.placed_at) > 2020 AND COALESCE(note, name) IS NULL'), []);
    assert.deepEqual(untracedIn("note <> '(SELECT 1 FROM customers)' /* (SELECT 1 FROM customers) */"), []);
    assert.deepEqual(untracedObjects(graph, undefined), []);
  });
});

describe('lineage formats', () => {
  it('Mermaid: no name ends a label or a line', () => {
    const nasty = lineageOf(
      parseEntityGraph(
        'elements:\n  - activityName: "A\\"] --> x\\n<b>`"\n    dataObject: orders\n    key: id\n    startTimestamp: placed_at\n',
      ).graph,
      catalog,
    );
    const drawn = lineageMermaid(nasty).split('\n');
    for (const each of drawn) {
      assert.match(
        each,
        /^(flowchart LR| {2}(subgraph s\d+\["[^"<>`[\]]*"\]|end|[oc]\d+ (-->|-\.->) o\d+|o\d+\["[^"<>`[\]]*"\])| {4}c\d+\("[^"<>`()]*"\))$/,
      );
    }
    assert.ok(drawn.length > 4);
  });

  it('OpenLineage: columns that give values are inputs of a field, those that choose rows of the dataset', () => {
    const event = openLineageEvent(lineage, 'shop', new Date(0)) as {
      readonly inputs: readonly { readonly name: string }[];
      readonly outputs: readonly {
        readonly name: string;
        readonly facets: {
          readonly columnLineage: {
            readonly fields: Readonly<Record<string, object>>;
            readonly dataset: readonly object[];
          };
        };
      }[];
    };
    assert.deepEqual(
      event.inputs.map(({ name }) => name),
      ['customers', 'orders'],
    );
    const place = event.outputs.find(({ name }) => name === 'Place Order')?.facets.columnLineage;
    assert.deepEqual(place?.fields['remark'], {
      inputFields: [
        {
          ...{ namespace: 'shop', name: 'orders', field: 'note' },
          transformations: [{ type: 'DIRECT', subtype: 'IDENTITY' }],
        },
      ],
    });
    assert.equal(place?.dataset.length, 3);
  });
});
