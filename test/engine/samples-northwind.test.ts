import assert from 'node:assert/strict';
import { join } from 'node:path';
import { loadSampleDatabase } from '../support/northwind.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, expectClean, importGraph, queryDuckDb } from './samples-import.ts';

describe('samples/northwind', () => {
  let folder = '';
  let server: TestPostgres;
  let env: Readonly<Record<string, string>> = {};

  before(async () => {
    folder = await copySample('northwind');
    server = await sharedPostgres();
    env = await loadSampleDatabase(server);
  });
  after(() => removeFolder(folder));

  it('has no problems', () => expectClean(join(folder, 'northwind.entity.yaml'), { env }));

  it('import counts equal independent SQL on the same server', async () => {
    const { totals, elements, relationships, rules, store } = await importGraph(join(folder, 'northwind.entity.yaml'), {
      env,
    });
    const sql = async (text: string): Promise<readonly Record<string, unknown>[]> => server.query('northwind', text);
    assert.deepEqual(
      elements.map(({ activityName: name, rows, events, entities, rowsWithoutStart }) => ({
        name,
        rows,
        events,
        entities,
        rowsWithoutStart,
      })),
      await sql(elementCounts),
    );
    // The server may count the parts of a union in any order.
    const byName = await sql(`SELECT * FROM (${relationshipCounts}) AS counted ORDER BY name COLLATE "C"`);
    assert.deepEqual(
      relationships.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      byName,
    );
    assert.deepEqual(totals, (await sql(totalCounts))[0]);
    assert.deepEqual(
      rules?.map(({ name, judged, broken, pending, holds }) => ({ name, judged, broken, pending, holds })),
      await sql(judgedRules),
    );
    assert.deepEqual(await pairsIn(store, 'covers'), await sql(coveredTerritories));
    assert.deepEqual(await pairsIn(store, 'is ordered again in'), await sql(reorderedLines));
  });
});

/** Relation pairs as key texts, sorted by bytes. */
function pairsIn(store: string, relationship: string): Promise<readonly Record<string, unknown>[]> {
  return queryDuckDb(
    `SELECT source.key AS source, target.key AS target FROM relation
     JOIN entity AS source ON source.id = relation.source_entity_id
     JOIN entity AS target ON target.id = relation.target_entity_id
     WHERE relation.relationship = '${relationship}' ORDER BY 1, 2`,
    store,
  );
}

/** An order that is not shipped yet has time left until the last event of the graph. */
const judgedRules = `WITH late AS (
  SELECT coalesce(shipped_date > order_date + 21, order_date + 21 < greatest((SELECT max(order_date) FROM orders), (SELECT max(shipped_date) FROM orders))) AS broken,
    shipped_date IS NULL AND order_date + 21 >= greatest((SELECT max(order_date) FROM orders), (SELECT max(shipped_date) FROM orders)) AS pending FROM orders
)
SELECT 'Orders are shipped within three weeks' AS name, count(*)::int AS judged, (count(*) FILTER (WHERE broken))::int AS broken, (count(*) FILTER (WHERE pending))::int AS pending,
  count(*) FILTER (WHERE broken) <= 0.1 * count(*) FILTER (WHERE NOT pending) AS holds FROM late
UNION ALL SELECT 'Orders have lines', count(*)::int, (count(*) FILTER (WHERE order_id NOT IN (SELECT order_id FROM order_details)))::int, 0, TRUE FROM orders
UNION ALL SELECT 'Every customer orders', count(*)::int, (count(*) FILTER (WHERE customer_id NOT IN (SELECT customer_id FROM orders)))::int, 0, FALSE FROM customers`;

const elementCounts = `
  SELECT 'Win Customer' AS name, count(*)::int AS rows, count(first)::int AS events, count(*)::int AS entities,
         (count(*) - count(first))::int AS "rowsWithoutStart"
  FROM (SELECT customer_id, (SELECT min(order_date) FROM orders WHERE orders.customer_id = customers.customer_id) AS first
        FROM customers) AS customer
  UNION ALL
  SELECT 'Place Order', count(*)::int, (count(order_date) + count(*) FILTER (WHERE shipped_date <> order_date))::int,
         count(*)::int, 0 FROM orders
  UNION ALL
  SELECT 'Add Order Line', count(*)::int, count(*)::int, count(DISTINCT (order_id, product_id))::int, 0 FROM order_details
  UNION ALL
  SELECT 'Introduce Product', count(*)::int, count(*) FILTER (WHERE sold)::int, count(*)::int, count(*) FILTER (WHERE NOT sold)::int
  FROM (SELECT EXISTS (SELECT 1 FROM order_details WHERE order_details.product_id = products.product_id) AS sold
        FROM products) AS product
  UNION ALL
  SELECT 'Hire Employee', count(*)::int, count(hire_date)::int, count(*)::int, 0 FROM employees
  UNION ALL
  SELECT 'Assign Territory', count(*)::int, count(*)::int, count(DISTINCT territory_id)::int, 0 FROM employee_territories`;

/** Of one end of a relationship: its entities, and how many of them are in a pair. */
function end(name: string, entities: string, related: string, rows: string): string {
  return `(SELECT json_build_object('name', '${name}', 'entities', count(DISTINCT ${entities}),
    'related', count(DISTINCT ${related})) FROM ${rows})`;
}

const reordered = `
  SELECT line.order_id AS first, line.product_id AS product, again.order_id AS later
  FROM order_details AS line JOIN orders USING (order_id)
  JOIN (order_details AS again JOIN orders AS later ON later.order_id = again.order_id)
    ON again.product_id = line.product_id AND later.customer_id = orders.customer_id AND later.order_date > orders.order_date
  GROUP BY line.order_id, line.product_id, again.order_id, again.product_id`;
const line = '(order_id, product_id)';
const linesIn = (side: 'first' | 'later'): string =>
  `order_details LEFT JOIN (SELECT DISTINCT ${side}, product FROM (${reordered}) AS pair) AS pair
    ON pair.${side} = order_id AND pair.product = product_id`;
const pairOf = (side: 'first' | 'later'): string => `CASE WHEN pair.${side} IS NOT NULL THEN ${line} END`;

const relationshipCounts = `
  SELECT 'places' AS name, count(*)::int AS pairs,
    ${end('Win Customer', 'customers.customer_id', 'orders.customer_id', 'customers LEFT JOIN orders USING (customer_id)')} AS source,
    ${end('Place Order', 'order_id', 'CASE WHEN customer_id IS NOT NULL THEN order_id END', 'orders')} AS target
  FROM orders WHERE customer_id IS NOT NULL
  UNION ALL SELECT 'consists of', count(*)::int,
    ${end('Place Order', 'orders.order_id', 'order_details.order_id', 'orders LEFT JOIN order_details USING (order_id)')},
    ${end('Add Order Line', line, line, 'order_details')}
  FROM order_details
  UNION ALL SELECT 'is sold in', count(*)::int,
    ${end('Introduce Product', 'products.product_id', 'order_details.product_id', 'products LEFT JOIN order_details USING (product_id)')},
    ${end('Add Order Line', line, line, 'order_details')}
  FROM order_details
  UNION ALL SELECT 'takes', count(*)::int,
    ${end('Hire Employee', 'employees.employee_id', 'orders.employee_id', 'employees LEFT JOIN orders USING (employee_id)')},
    ${end('Place Order', 'order_id', 'CASE WHEN employee_id IS NOT NULL THEN order_id END', 'orders')}
  FROM orders WHERE employee_id IS NOT NULL
  UNION ALL SELECT 'is ordered again in', count(*)::int,
    ${end('Add Order Line', line, pairOf('first'), linesIn('first'))},
    ${end('Add Order Line', line, pairOf('later'), linesIn('later'))}
  FROM (${reordered}) AS pair
  UNION ALL SELECT 'covers', count(*)::int,
    ${end('Hire Employee', 'employees.employee_id', 'covered.employee_id', 'employees LEFT JOIN employee_territories AS covered USING (employee_id)')},
    ${end('Assign Territory', 'territory_id', 'territory_id', 'employee_territories')}
  FROM employee_territories`;

/** Every event with its entity; then the correlations by the sample's \`correlate\`. */
const totalCounts = `
  WITH event (entity, place) AS (
    SELECT 'c' || customer_id, 1 FROM customers WHERE customer_id IN (SELECT customer_id FROM orders)
    UNION ALL SELECT 'o' || order_id, 1 FROM orders
    UNION ALL SELECT 'o' || order_id, 2 FROM orders WHERE shipped_date <> order_date
    UNION ALL SELECT 'l' || order_id || '/' || product_id, 1 FROM order_details
    UNION ALL SELECT 'p' || product_id, 1 FROM products WHERE product_id IN (SELECT product_id FROM order_details)
    UNION ALL SELECT 'e' || employee_id, 1 FROM employees
    UNION ALL SELECT 't' || territory_id, 1 FROM employee_territories
  ),
  correlates (owner, reader) AS (
    SELECT entity, entity FROM event GROUP BY 1
    UNION ALL SELECT 'c' || customer_id, 'o' || order_id FROM orders
    UNION ALL SELECT 'o' || order_id, 'c' || customer_id FROM orders
    UNION ALL SELECT 'o' || order_id, 'l' || order_id || '/' || product_id FROM order_details
    UNION ALL SELECT 'l' || order_id || '/' || product_id, 'o' || order_id FROM order_details
    UNION ALL SELECT 'p' || product_id, 'l' || order_id || '/' || product_id FROM order_details
    UNION ALL SELECT 'l' || order_id || '/' || product_id, 'p' || product_id FROM order_details
    UNION ALL SELECT 'o' || order_id, 'e' || employee_id FROM orders
    UNION ALL SELECT 'e' || employee_id, 't' || territory_id FROM employee_territories
    UNION ALL SELECT 't' || territory_id, 'e' || employee_id FROM employee_territories
  ),
  story AS (SELECT reader, count(*) AS events FROM correlates JOIN event ON event.entity = correlates.owner GROUP BY 1)
  SELECT
    (SELECT count(*) FROM event)::int AS events,
    ((SELECT count(*) FROM customers) + (SELECT count(*) FROM orders) + (SELECT count(*) FROM order_details)
      + (SELECT count(*) FROM products) + (SELECT count(*) FROM employees)
      + (SELECT count(DISTINCT territory_id) FROM employee_territories))::int AS entities,
    (SELECT sum(events) FROM story)::int AS correlations,
    (SELECT sum(pairs) FROM (${relationshipCounts}) AS relationship)::int AS relations,
    (SELECT sum(events - 1) FROM story)::int AS "directlyFollows"`;

const coveredTerritories = `
  SELECT employee_id::text AS source, territory_id AS target FROM employee_territories
  ORDER BY employee_id::text COLLATE "C", territory_id COLLATE "C"`;

const reorderedLines = `
  SELECT DISTINCT format('["%s","%s"]', line.order_id, line.product_id) COLLATE "C" AS source,
         format('["%s","%s"]', again.order_id, again.product_id) COLLATE "C" AS target
  FROM order_details AS line JOIN orders AS first ON first.order_id = line.order_id
  JOIN order_details AS again ON again.product_id = line.product_id
  JOIN orders AS later ON later.order_id = again.order_id AND later.customer_id = first.customer_id
  WHERE later.order_date > first.order_date
  ORDER BY 1, 2`;
