import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { Simulator } from '../simulator/simulator.ts';
import { type Complaint, startServiceDesk } from '../support/complaints.ts';
import { loadSampleDatabase } from '../support/northwind.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, expectClean, importGraph, queryDuckDb } from './samples-import.ts';

interface CrossSystemData {
  readonly catalog: readonly string[];
  readonly shipments: string;
  readonly complaints: readonly Complaint[];
}

describe('samples/cross-system', () => {
  let folder = '';
  let server: TestPostgres;
  let desk: Simulator;
  let data: CrossSystemData;
  let env: Readonly<Record<string, string>> = {};
  const file = (): string => join(folder, 'cross-system.entity.yaml');

  before(async () => {
    folder = await copySample('cross-system');
    const url = new URL('../../scripts/cross-system-data.mjs', import.meta.url).href;
    const { crossSystemData } = (await import(url)) as { crossSystemData(): Promise<CrossSystemData> };
    data = await crossSystemData();
    server = await sharedPostgres();
    const started = await startServiceDesk(data.complaints);
    desk = started.simulator;
    env = { ...(await loadSampleDatabase(server)), ...started.env };
  });
  after(async () => {
    await desk.close();
    await removeFolder(folder);
  });

  it('files equal the output of their generator, and Northwind', async () => {
    assert.equal(await readFile(join(folder, 'data/shipments.csv'), 'utf8'), data.shipments);
    const catalog = new DatabaseSync(join(folder, 'data/catalog.sqlite'), { readOnly: true });
    const made = new DatabaseSync(':memory:');
    try {
      made.exec(data.catalog.join('\n'));
      for (const [table, columns] of [
        ['customers', 'customer_id, company_name, city, country'],
        ['products', 'product_id, product_name, unit_price, discontinued'],
      ]) {
        const all = `SELECT * FROM ${table} ORDER BY 1`;
        assert.deepEqual(catalog.prepare(all).all(), made.prepare(all).all());
        const sql = `SELECT ${columns} FROM ${table} ORDER BY 1`;
        const rows = catalog.prepare(sql).all();
        assert.deepEqual(
          rows.map((row) => ({ ...row })),
          (await server.query('northwind', sql)).map((row) => ({ ...row })),
        );
      }
    } finally {
      catalog.close();
      made.close();
    }
  });

  it('has no problems', () => expectClean(file(), { env }));

  it('import counts equal SQL over Northwind in one database, and the complaints', async () => {
    const { elements, entities, relationships, rules, dataSources, warnings, store } = await importGraph(file(), {
      env,
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      dataSources?.map(({ name, kind }) => [name, kind]),
      [
        ['northwind', 'postgresql'],
        ['shipments', 'csv'],
        ['desk', 'servicenow'],
        ['catalog', 'sqlite'],
      ],
    );
    const [counts] = await server.query(
      'northwind',
      `SELECT (SELECT count(*) FROM orders)::int AS orders, (SELECT count(*) FROM order_details)::int AS lines,
        (SELECT count(*) FROM orders WHERE shipped_date IS NOT NULL)::int AS shipments,
        (SELECT count(*) FROM customers)::int AS customers, (SELECT count(*) FROM products)::int AS products,
        (SELECT count(*) FROM orders WHERE shipped_date - order_date > 21)::int AS late`,
    );
    const { orders, lines, shipments, customers, products, late } = counts as Record<string, number>;
    const { complaints } = data;
    const settled = complaints.filter(({ resolved }) => resolved !== undefined).length;
    assert.deepEqual(
      [...elements.map(({ activityName, events }) => [activityName, events])],
      [
        ['Place Order', orders],
        ['Add Order Line', lines],
        ['Ship Order', shipments],
        ['Complain', complaints.length],
        ['Settle Complaint', settled],
      ],
    );
    assert.deepEqual(
      entities.map(({ name, entities: made }) => [name, made]),
      [
        ['customer', customers],
        ['product', products],
      ],
    );
    assert.deepEqual(Object.fromEntries(relationships.map(({ name, pairs }) => [name, pairs])), {
      'consists of': lines,
      places: orders,
      'is sold in': lines,
      delivers: shipments,
      'is about': complaints.length,
      complains: complaints.length,
    });
    assert.deepEqual(
      rules?.map(({ name, judged, holds }) => [name, judged, holds]),
      [
        ['Orders are shipped within three weeks', orders, true],
        ['Nobody complains before the order is shipped', complaints.length, false],
      ],
    );
    assert.equal(rules?.at(1)?.broken, late);
    const placed = `SELECT source.key AS source, target.key AS target FROM relation
      JOIN entity AS source ON source.id = source_entity_id JOIN entity AS target ON target.id = target_entity_id`;
    assert.deepEqual(
      await queryDuckDb(`${placed} WHERE relationship = 'places' ORDER BY 2`, store),
      await server.query(
        'northwind',
        'SELECT customer_id AS source, order_id::text AS target FROM orders ORDER BY order_id::text COLLATE "C"',
      ),
    );
    assert.deepEqual(
      await queryDuckDb(
        `SELECT number, target FROM (${placed} WHERE relationship = 'is about') AS pair
           JOIN entity ON entity.key = source JOIN event ON event.entity_id = entity.id
           JOIN properties_4 AS p ON p.event_id = event.id ORDER BY 1`,
        store,
      ),
      complaints.map(({ number, text }) => ({ number, target: /\d+/.exec(text)?.[0] })),
    );
  });
});
