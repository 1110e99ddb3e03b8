import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { Catalog } from '../../../server/src/catalog/catalog.ts';
import { graphColumns } from '../../../server/src/graph-tests/graph-columns.ts';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';
import { testedGraph } from '../../../server/src/graph-tests/tested-graph.ts';
import { graphTestProblems } from '../../../server/src/graph-tests/test-problems.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';

const graph = `version: 1
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, startTimestamp: placed, properties: [amount] }
relationships:
  - { name: follows, source: Place Order, target: Place Order, mappings: [{ source: before, target: id }] }
rules:
  - { name: Orders are paid, each: { activity: Place Order }, expect: [{ sql: amount > 0 }] }
`;

const orders: Catalog = {
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
      statistics: { columnCount: 4 },
      columns: [
        { name: 'id', type: 'BIGINT', sense: 'integer', nullable: true, primaryKey: false },
        { name: 'placed', type: 'TIMESTAMP', sense: 'timestamp', nullable: true, primaryKey: false },
        { name: 'amount', type: 'DOUBLE', sense: 'number', nullable: true, primaryKey: false },
        { name: 'before', type: 'BIGINT', sense: 'integer', nullable: true, primaryKey: false },
      ],
    },
  ],
};

/** Each problem as its code, the text it is at, and its message. */
function problemsOf(text: string, catalog?: Catalog): readonly string[] {
  const file = parseGraphTests(text);
  const parsed = parseEntityGraph(graph);
  const named = graphColumns(parsed.graph, 'files', 'duckdb');
  const origin = { dataSource: 'files', kind: 'csv', dialect: 'duckdb' };
  return graphTestProblems(file, testedGraph(file, parsed.graph, [{ origin, known: catalog, named }])).map(
    ({ code, message, range }) => `${code} at ${text.slice(range.start, range.end)}: ${message}`,
  );
}

const one = (test: string): string => `graph: orders.entity.yaml\ntests:\n  - name: one\n    ${test}\n`;

describe('problems of tests with given rows', () => {
  const cases: readonly (readonly [title: string, text: string, ...problems: string[]])[] = [
    [
      'none in a complete test',
      one(`given: { orders: [{ id: 1, placed: 2024-01-01T10:00:00Z }] }
    expect:
      events: [{ activity: Place Order, entity: 1, time: 2024-01-01T10:00:00Z, lifecycle: start, properties: { amount: null } }]
      directlyFollows: []
      relations: [{ relationship: follows, source: 1, target: { type: orders, key: [1] } }]
      entities: [1]
      rules: { Orders are paid: { judged: 1, broken: 0 } }`),
    ],
    [
      'a rule that the graph does not have',
      one('expect: { rules: { Orders are payed: { broken: 0 } } }'),
      'rule-unknown-name at Orders are payed: The graph has no rule "Orders are payed". Did you mean "Orders are paid"?',
    ],
    [
      'numbers of a rule that are none',
      one('expect: { rules: { Orders are paid: { broke: 0, kept: -1, pending: some } } }'),
      'schema-unknown-property at broke: "broke" is not known here. Did you mean "broken"?',
      'schema-value at -1: "kept" must be at least 0.',
      'schema-type at some: "pending" must be a whole number, not some.',
    ],
    [
      'a rule without numbers',
      one('expect: { rules: { Orders are paid: {} } }'),
      'schema-value at Orders are paid: "Orders are paid" must not be empty.',
    ],
    [
      'a test without expectations',
      one('given: { orders: [] }'),
      'schema-missing-property at name: one: An entry of "tests" needs "expect". Add it.',
    ],
    ['empty expectations', one('expect: {}'), 'schema-value at expect: "expect" must not be empty.'],
    [
      'expectations without a value',
      one('expect:'),
      'schema-type at expect: "expect" is empty: it must be a group of settings.',
    ],
    ['no tests', 'graph: a.entity.yaml\ntests: []\n', 'schema-value at tests: "tests" must not be empty.'],
    [
      'a data object that the graph does not have',
      one('given: { order: [] }\n    expect: { events: [] }'),
      'unknown-data-object at order: The graph has no data object "order". Did you mean "orders"?',
    ],
    [
      'a column that the data object does not have',
      one('given: { orders: [{ plced: 2024-01-01T10:00:00Z }] }\n    expect: { events: [] }'),
      'unknown-column at plced: orders has no column "plced". Did you mean "placed"?',
    ],
    [
      'values that do not fit their columns',
      one('given: { orders: [{ id: 1.5, placed: soon, amount: much }] }\n    expect: { events: [] }'),
      'type-mismatch at 1.5: "id" is BIGINT: its value must be a whole number, not "1.5".',
      'type-mismatch at soon: "placed" is TIMESTAMP: its value must be an ISO 8601 time such as 2024-01-31T08:00:00Z, not "soon".',
      'type-mismatch at much: "amount" is DOUBLE: its value must be a number, not "much".',
    ],
    [
      'names that the graph does not make',
      one(`expect:
      events: [{ activity: Place Ordr, entity: { type: order, key: 1 } }]
      relations: [{ relationship: follow }]`),
      'unknown-activity at Place Ordr: The graph has no activity "Place Ordr". Did you mean "Place Order"?',
      'schema-value at order: The graph has no entity type "order". Did you mean "orders"?',
      'unknown-relationship at follow: The graph has no relationship "follow". Did you mean "follows"?',
    ],
    [
      'a time that is none',
      one('expect: { events: [{ time: 2024-02-30T10:00:00Z }] }'),
      'schema-value at 2024-02-30T10:00:00Z: "time" must be an ISO 8601 time such as 2024-01-31T08:00:00Z, not "2024-02-30T10:00:00Z".',
    ],
    [
      'a pair of one activity',
      one('expect: { directlyFollows: [[Place Order]] }'),
      'schema-value at [Place Order]: An entry of "directlyFollows" must have at least 2 entries.',
    ],
    [
      'a name that is taken',
      one('expect: { events: [] }') + '  - name: one\n    expect: { events: [] }\n',
      'schema-value at one: There is a test "one" already. Choose another name.',
    ],
    [
      'a misspelt key',
      one('expects: { events: [] }'),
      'schema-unknown-property at expects: "expects" is not known here. Did you mean "expect"?',
    ],
  ];
  for (const [title, text, ...problems] of cases) {
    it(title, () => deepStrictEqual(problemsOf(text, orders), problems));
  }

  it('declared columns apply before those of the catalog', () => {
    const test = `given: { orders: [{ id: A1, extra: 1 }] }
    columns: { orders: { id: VARCHAR, extra: { type: BIGINT, key: true } } }
    expect: { events: [] }`;
    deepStrictEqual(problemsOf(one(test), orders), []);
  });

  it('without a catalog any column of a data object may be given', () => {
    deepStrictEqual(problemsOf(one('given: { orders: [{ id: A1, other: 1 }] }\n    expect: { events: [] }')), []);
    strictEqual(problemsOf(one('given: { parcels: [] }\n    expect: { events: [] }')).length, 1);
  });
});

describe('catalog of a test without a known catalog', () => {
  it('has types that fit all values, and the columns that the graph names', () => {
    const text = one(`given:
      orders:
        - { id: 1, whole: 1, part: 1, flag: true, day: 2024-01-01, local: 2024-01-01T10:00, zoned: 2024-01-01T10:00Z, mixed: 1, list: [a] }
        - { id: x, whole: 2, part: 1.5, flag: false, mixed: x }
    expect: { events: [] }`);
    const file = parseGraphTests(text);
    const named = graphColumns(parseEntityGraph(graph).graph, 'files', 'duckdb');
    const origin = { dataSource: 'files', kind: 'csv', dialect: 'duckdb' };
    const [test] = file.tests;
    const tested = testedGraph(file, parseEntityGraph(graph).graph, [{ origin, known: undefined, named }]);
    const catalog = test && tested.catalogOf(test);
    deepStrictEqual(Object.fromEntries((catalog?.objects[0]?.columns ?? []).map(({ name, type }) => [name, type])), {
      id: 'VARCHAR',
      whole: 'BIGINT',
      part: 'DOUBLE',
      flag: 'BOOLEAN',
      day: 'DATE',
      local: 'TIMESTAMP',
      zoned: 'TIMESTAMP WITH TIME ZONE',
      mixed: 'VARCHAR',
      list: 'JSON',
      placed: 'TIMESTAMP',
      amount: 'VARCHAR',
      before: 'VARCHAR',
    });
  });
});

describe('columns that a graph names', () => {
  const graph = `version: 1
dataSource: files
dataObjects:
  - spare
  - { source: other, objects: [both] }
elements:
  - activityName: Place Order
    dataObject: orders
    joins: LEFT JOIN parts AS part ON part.id = orders.id
    startTimestamp: part.made
    properties: [orders.id, no.alias]
entities:
  - { dataObject: both, expect: { unique: [code, [a, b]], notNull: [label], values: { state: [new] } } }
relationships:
  - { source: Place Order, target: both, crossTable: { dataObject: bridge, sourceMappings: [], targetMappings: [] } }
`;
  const named = (dataSource: string): Readonly<Record<string, readonly unknown[]>> =>
    Object.fromEntries(
      [...graphColumns(parseEntityGraph(graph).graph, dataSource, 'duckdb')].map(([name, { isRead, columns }]) => [
        name,
        [isRead, ...columns.keys()],
      ]),
    );

  it('include names in expectations; columns of an unlisted data object come from its entry', () => {
    deepStrictEqual(named('files'), {
      spare: [false],
      orders: [true, 'id', 'no.alias'],
      both: [true, 'code', 'a', 'b', 'label', 'state'],
      bridge: [true],
    });
  });

  it('a data object that is only selected is not read', () => {
    deepStrictEqual(named('other'), { both: [false] });
  });
});
