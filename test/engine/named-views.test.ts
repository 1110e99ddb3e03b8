import assert from 'node:assert/strict';
import { readTables } from '../../server/src/event-graph/read-overview.ts';
import { csvSources, graphText, postgresqlSources, withGraph, withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { runCommand } from '../support/run-command.ts';

const elements = `  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount, { column: note, name: key }] }
  - { activityName: Ship Order!, dataObject: orders, key: id, entityType: order, startTimestamp: shipped, where: shipped IS NOT NULL, properties: [{ column: shipped_as, name: amount }] }
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, where: id > 1 }
`;
const entities = 'entities:\n  - { dataObject: customers, key: id, entityType: Event, properties: [name] }\n';
const graph = graphText(elements) + entities;

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graph,
  'orders.csv':
    'id,placed,shipped,amount,note,shipped_as\n1,2024-01-01 00:00:00,2024-01-03 00:00:00,10,a,12.5\n2,2024-01-02 00:00:00,,20,b,\n',
  'customers.csv': 'id,name\nc,Ann\n',
};

const day = 86_400_000;
const questions = [
  [
    'SELECT key, events, throughput, amount, "key~2" AS note FROM "order" ORDER BY key',
    [
      ['1', 2, 2 * day, 12.5, 'a'],
      ['2', 2, 0, 20, 'b'],
    ],
  ],
  ['SELECT key, events, throughput, name FROM event_entities', [['c', 0, null, 'Ann']]],
  [
    'SELECT lifecycle, key, "key~2" AS note, amount FROM place_order ORDER BY event_id',
    [
      ['start', '1', 'a', 10],
      ['start', '2', 'b', 20],
    ],
  ],
  ['SELECT activity, amount FROM ship_order_', [['Ship Order!', 12.5]]],
  ['SELECT activity, key FROM order_events', [['Order', '2']]],
  [
    'SELECT entity_type, key, rank, since_previous FROM entity_event ORDER BY key, rank',
    [
      ['order', '1', 1, null],
      ['order', '1', 2, 2 * day],
      ['order', '2', 1, null],
      ['order', '2', 2, 0],
    ],
  ],
] as const;

const plain = (rows: readonly (readonly unknown[])[]): unknown =>
  rows.map((row) => row.map((value) => (value === null || Number.isNaN(Number(value)) ? value : Number(value))));
const expected = (rows: readonly (readonly unknown[])[]): unknown => plain(rows);

describe('views that are named after entity types and elements', () => {
  it('show values over time whose properties are called like a column of their table', async () => {
    const versions =
      'entities:\n  - { dataObject: orders, key: id, entityType: article, validFrom: placed, properties: [{ column: amount, name: value_time }, note] }\n';
    await withGraph(
      { ...files, 'graph.entity.yaml': graphText(elements) + versions },
      async ({ import: run, rows }) => {
        const { status, error } = await run();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(plain(await rows('SELECT key, "value_time~2", note FROM article ORDER BY key')), [
          [1, 10, 'a'],
          [2, 20, 'b'],
        ]);
      },
    );
  });

  it('show entities and events with their properties, under names of their own', async () => {
    await withGraph(files, async ({ import: run, rows, read }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      for (const [sql, found] of questions) assert.deepEqual(plain(await rows(sql)), expected(found), sql);
      const tables = await read((store) => readTables(store, {}));
      const views = tables.filter(({ kind }) => kind === 'view').map(({ sql }) => sql);
      assert.deepEqual(views.slice(0, 6), [
        'entity_event',
        'event_entities',
        '"order"',
        'order_events',
        'place_order',
        'ship_order_',
      ]);
      assert.ok(tables.findIndex(({ kind }) => kind === 'view') > tables.findLastIndex(({ kind }) => kind === 'table'));
    });
  });

  it('unite properties whose types have nothing in common as texts', async () => {
    const project = {
      ...files,
      'orders.json': JSON.stringify([{ id: 1, placed: '2024-01-01', what: { a: 1 } }]),
      'returns.json': JSON.stringify([{ id: 1, placed: '2024-01-02', what: 5 }]),
      'entity-sources.yaml': csvSources().replace('*.csv', '*.json'),
      'graph.entity.yaml':
        graphText(`  - { activityName: A, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [what] }
  - { activityName: B, dataObject: returns, key: id, entityType: order, startTimestamp: placed, properties: [what] }
`),
    };
    await withGraph(project, async ({ import: run, rows }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(await rows('SELECT typeof(what), what FROM "order"'), [['VARCHAR', '5']]);
    });
  });

  it('are in schemas of a source and in their copies, with the same rows, and are dropped with them', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE orders (id int, placed timestamp, shipped timestamp, amount numeric(10,2), note text, shipped_as numeric(12,3));
       INSERT INTO orders VALUES (1, '2024-01-01', '2024-01-03', 10, 'a', 12.5), (2, '2024-01-02', NULL, 20, 'b', NULL);
       CREATE TABLE customers (id text, name text); INSERT INTO customers VALUES ('c', 'Ann')`,
    );
    const project = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${graph}import: { engine: source, schema: ekg }\n`,
    };
    await withProject(project, async ({ import: run, rows, folder }) => {
      const { status, error } = await run();
      assert.equal(status, 'imported', error?.message);
      const inSource = async (sql: string): Promise<readonly (readonly unknown[])[]> =>
        (await server.query(database, `SET search_path = ekg; ${sql}`)).map((row) => Object.values(row as object));
      for (const [sql, found] of questions) assert.deepEqual(plain(await inSource(sql)), expected(found), sql);
      assert.equal((await run({ request: { kind: 'fetch' } })).status, 'imported');
      for (const [sql, found] of questions) assert.deepEqual(plain(await rows(sql)), expected(found), sql);
      await run({});
      const dropped = await runCommand(['delete', 'graph.entity.yaml', '--yes', '--drop-tables'], folder, {
        ENTITY_GRAPH_SECRET_SHOP: 'postgres',
      });
      assert.equal(dropped.code, 0, dropped.stderr);
      const left = await server.query(database, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ekg%'");
      assert.deepEqual(left, []);
    });
  });
});
