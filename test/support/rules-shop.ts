import type { TestPostgres } from './postgres.ts';
import { randomOf } from './random.ts';
import { randomLines, randomOrders } from './random-rules.ts';

/** An entity graph over the database of `createRulesShop`. */
export const rulesShop = `version: 1
dataSource: shop
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed, properties: [amount, late] }
  - { activityName: Ship Order, dataObject: orders, key: id, entityType: order, startTimestamp: shipped, where: shipped IS NOT NULL, properties: [late, paid] }
  - { activityName: Pay Order, dataObject: orders, key: id, entityType: order, startTimestamp: paid, where: paid IS NOT NULL }
  - { activityName: Add Line, dataObject: lines, key: number, entityType: line, startTimestamp: added, properties: [{ column: number, name: amount }] }
relationships:
  - { name: has, source: Place Order, target: Add Line, mappings: [{ source: id, target: order_id }], correlate: both }
`;

/** Rules with SQL about properties, and odd ones. */
export const rulesOfValues = `  - { name: Values of entities, each: { entityType: order, where: amount > 5 }, expect: [{ sql: "NOT late" }, { sql: "amount < 50 OR paid IS NULL" }], atLeast: 10% }
  - { name: Values of events, severity: error, each: { activity: Ship Order }, expect: [{ sql: "late" }] }
  - { name: Nothing to judge, each: { entityType: order, where: 1 = 0 }, expect: [{ activity: Ship Order }] }
  - { name: "It's \\ quoted", each: { activity: Add Line }, expect: [{ activity: Ship Order, of: order, within: 2d }] }
`;

/** Creates a database with random orders and lines, and returns its name. */
export async function createRulesShop(server: TestPostgres, seed: number): Promise<string> {
  const random = randomOf(seed);
  const rowsOf = (csv: string): string =>
    csv
      .trim()
      .split('\n')
      .slice(1)
      .map(
        (line) =>
          `(${line
            .split(',')
            .map((cell) => (cell === '' ? 'NULL' : `'${cell}'`))
            .join(', ')})`,
      )
      .join(', ');
  const database = await server.createDatabase();
  await server.query(
    database,
    `CREATE TABLE orders (id int, placed timestamp, shipped timestamp, paid timestamp, amount numeric(10,2), late boolean);
     CREATE TABLE lines (number int PRIMARY KEY, order_id int, added timestamp);
     INSERT INTO orders VALUES ${rowsOf(randomOrders(random))};
     INSERT INTO lines VALUES ${rowsOf(randomLines(random))};
     UPDATE orders SET amount = id * 4.5, late = CASE WHEN id % 3 = 0 THEN NULL ELSE id % 2 = 0 END`,
  );
  return database;
}
