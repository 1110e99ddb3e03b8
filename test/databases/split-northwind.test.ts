import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { type SplitGraph, assertEqualGraphs, importSplit } from '../support/split-sources.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** The joins of the sample, made into tables beforehand: joins stay inside one data source. */
const prepared = `
  CREATE TABLE won AS SELECT c.customer_id, company_name, city, country, (SELECT min(order_date) FROM orders o WHERE o.customer_id = c.customer_id) AS won_on FROM customers c;
  CREATE TABLE placed AS SELECT order_id, customer_id, employee_id, order_date, shipped_date, freight, ship_city FROM orders;
  CREATE TABLE lines AS SELECT d.*, o.customer_id, o.order_date FROM order_details d JOIN orders o USING (order_id);
  CREATE TABLE sold AS SELECT product_id, product_name, unit_price, (SELECT min(o.order_date) FROM order_details d JOIN orders o USING (order_id) WHERE d.product_id = p.product_id) AS sold_on FROM products p;
  CREATE TABLE hired AS SELECT employee_id, first_name, last_name, hire_date FROM employees;
  CREATE TABLE assigned AS SELECT t.territory_id, territory_description, region_id, min(e.hire_date) AS assigned_on FROM territories t
    JOIN employee_territories USING (territory_id) JOIN employees e USING (employee_id) GROUP BY 1, 2, 3;
  CREATE TABLE covered AS SELECT * FROM employee_territories;
  CREATE TABLE region_list AS SELECT region_id, region_description FROM region;
`;

const graph: SplitGraph = {
  elements: [
    {
      activityName: 'Win Customer',
      dataObject: 'won',
      key: 'customer_id',
      entityType: 'customer',
      startTimestamp: 'won_on',
      properties: ['company_name', 'city', 'country'],
    },
    {
      activityName: 'Place Order',
      dataObject: 'placed',
      key: 'order_id',
      entityType: 'order',
      startTimestamp: 'order_date',
      changeTimestamp: 'shipped_date',
      properties: ['order_id', 'freight', 'ship_city'],
    },
    {
      activityName: 'Add Order Line',
      dataObject: 'lines',
      key: ['order_id', 'product_id'],
      entityType: 'order line',
      startTimestamp: 'order_date',
      properties: ['unit_price', 'quantity', 'discount'],
    },
    {
      activityName: 'Introduce Product',
      dataObject: 'sold',
      key: 'product_id',
      entityType: 'product',
      startTimestamp: 'sold_on',
      properties: ['product_name', 'unit_price'],
    },
    {
      activityName: 'Hire Employee',
      dataObject: 'hired',
      key: 'employee_id',
      entityType: 'employee',
      startTimestamp: 'hire_date',
      properties: ['first_name', 'last_name'],
    },
    {
      activityName: 'Assign Territory',
      dataObject: 'assigned',
      key: 'territory_id',
      entityType: 'territory',
      startTimestamp: 'assigned_on',
      properties: ['territory_description'],
    },
  ],
  entities: [
    {
      entityType: 'region',
      dataObject: 'region_list',
      key: 'region_id',
      properties: ['region_description'],
    },
  ],
  relationships: [
    { name: 'places', source: 'Win Customer', target: 'Place Order', mappings: [equal('customer_id')] },
    { name: 'consists of', source: 'Place Order', target: 'Add Order Line', mappings: [equal('order_id')] },
    { name: 'is sold in', source: 'Introduce Product', target: 'Add Order Line', mappings: [equal('product_id')] },
    {
      name: 'takes',
      source: 'Hire Employee',
      target: 'Place Order',
      mappings: [equal('employee_id')],
      correlate: 'target',
    },
    {
      name: 'may have taken',
      source: 'Hire Employee',
      target: 'Place Order',
      mappings: [
        { source: 'hire_date', operator: '<=', target: 'order_date' },
        { source: 'employee_id', operator: '!=', target: 'employee_id' },
        { expression: "target.ship_city LIKE 'L%' AND source.first_name < target.ship_city" },
      ],
      correlate: 'none',
    },
    {
      name: 'covers',
      source: 'Hire Employee',
      target: 'Assign Territory',
      crossTable: {
        dataObject: 'covered',
        sourceMappings: [{ source: 'employee_id', cross: 'employee_id' }],
        targetMappings: [{ cross: 'territory_id', target: 'territory_id' }],
      },
    },
    { name: 'is in', source: 'Assign Territory', target: 'region', mappings: [equal('region_id')] },
    { name: 'sells to', source: 'Hire Employee', target: 'Win Customer', path: ['takes', 'places'], correlate: 'none' },
  ],
};

function equal(column: string) {
  return { source: column, target: column };
}

const tables = ['won', 'placed', 'lines', 'sold', 'hired', 'assigned', 'covered', 'region_list'];

/** Each split is one row: the kind of each table, the first being that of the file. */
const splits: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'orders in PostgreSQL, customers and products in MariaDB, employees and territories in SQLite, who covers them in CSV':
    {
      placed: 'postgresql',
      lines: 'postgresql',
      won: 'mysql',
      sold: 'mysql',
      hired: 'sqlite',
      assigned: 'sqlite',
      region_list: 'sqlite',
      covered: 'csv',
    },
  'every relationship across two or three of PostgreSQL, MariaDB, SQLite and CSV': {
    placed: 'mysql',
    lines: 'csv',
    won: 'sqlite',
    sold: 'postgresql',
    hired: 'csv',
    assigned: 'mysql',
    region_list: 'postgresql',
    covered: 'sqlite',
  },
  'orders in PostgreSQL, customers, products and territories in files': {
    placed: 'postgresql',
    lines: 'postgresql',
    hired: 'postgresql',
    won: 'csv',
    sold: 'csv',
    assigned: 'csv',
    covered: 'csv',
    region_list: 'csv',
  },
  'orders in files, the rest in PostgreSQL': {
    placed: 'csv',
    lines: 'csv',
    won: 'postgresql',
    sold: 'postgresql',
    hired: 'postgresql',
    assigned: 'postgresql',
    covered: 'csv',
    region_list: 'csv',
  },
};

describe('Northwind split over data sources', () => {
  let server: TestPostgres;
  let database = '';
  let whole: Awaited<ReturnType<typeof importSplit>>;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.loadSqlFile(database, join(projectFolder, 'samples/northwind/northwind.sql'));
    await server.query(database, prepared);
    whole = await importSplit(server, database, graph, Object.fromEntries(tables.map((name) => [name, 'postgresql'])));
    assert.equal(whole.summary.dataSources, undefined);
    for (const { name, pairs } of whole.summary.relationships) assert.ok(pairs > 0, name);
  });

  for (const [name, split] of Object.entries(splits)) {
    it(`gives the same graph with ${name}`, async () => {
      const { tables: found, summary } = await importSplit(server, database, graph, split);
      assert.deepEqual(
        summary.dataSources?.map((source) => source.name).toSorted(),
        [...new Set(Object.values(split))].toSorted(),
      );
      assert.deepEqual(summary.relationships, whole.summary.relationships);
      assertEqualGraphs(found, whole.tables, name);
    });
  }
});
