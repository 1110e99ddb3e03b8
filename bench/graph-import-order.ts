/** A job for the measured process: the product's import, or the statements of a hand-written script. */
export interface GraphOrder {
  readonly work: 'import' | readonly string[];
  /** Holds `data/*.csv`, `shop.entity.yaml` and `entity-sources.yaml`. */
  readonly folder: string;
}

/** The result of the measured process; table sizes must agree. */
export interface GraphMeasurement {
  readonly seconds: number;
  readonly megabytes: number;
  readonly totals: Readonly<Record<string, number>>;
}

export const graphFile = `version: 1
name: Shop
dataSource: files
elements:
  - { activityName: Win Customer, dataObject: customer, key: id, startTimestamp: since, properties: [city] }
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, changeTimestamp: shipped_at, properties: [amount, note] }
  - { activityName: Launch Product, dataObject: product, key: id, startTimestamp: launched, properties: [name] }
relationships:
  - { name: places, source: Win Customer, target: Place Order, mappings: [{ source: id, target: customer }] }
  - name: contains
    source: Place Order
    target: Launch Product
    crossTable: { dataObject: order_product, sourceMappings: [{ source: id, cross: order_id }], targetMappings: [{ cross: product_id, target: id }] }
`;

/** The rows of each file, for about this many events: two per order, two products per order. */
export function fileRows(events: number): Readonly<Record<string, string>> {
  const orders = Math.round(events / 2.03);
  const customers = Math.round(orders / 50);
  const products = Math.round(orders / 100);
  return {
    customer: `SELECT 'C' || i AS id, TIMESTAMP '2019-01-01' + to_seconds(i * 60) AS since, 'City ' || i % 100 AS city FROM range(${customers}) AS r(i)`,
    product: `SELECT 'P' || i AS id, TIMESTAMP '2019-01-01' + to_seconds(i * 60) AS launched, 'Product ' || i AS name FROM range(${products}) AS r(i)`,
    orders: `SELECT i AS id, 'C' || (i * 7919) % ${customers} AS customer, TIMESTAMP '2020-01-01' + to_seconds(i * 37) AS placed_at,
      TIMESTAMP '2020-01-02' + to_seconds(i * 37 + i % 86400) AS shipped_at, (i * 125 % 1000000) / 100 AS amount, 'Note number ' || i AS note
      FROM range(${orders}) AS r(i)`,
    order_product: `SELECT i AS order_id, 'P' || (i * 31 + j * 17) % ${products} AS product_id FROM range(${orders}) AS r(i), range(2) AS s(j)`,
  };
}

/** The floor: the same tables by a hand-written script on the files of `folder`. */
export function handWrittenGraph(folder: string): readonly string[] {
  const csv = (name: string): string =>
    `CREATE TEMP TABLE ${name} AS SELECT * FROM read_csv('${folder}/data/${name}.csv', delim = ',', quote = '"', escape = '"', header = true)`;
  const events = (element: number, table: string, time: string, change: boolean, type: string): string =>
    `SELECT ${element} AS element, t.rowid AS place, ${change} AS change, ${time} AS time, e.id AS entity_id FROM ${table} AS t
      JOIN entity AS e ON e.key = CAST(t.id AS VARCHAR) AND e.entity_type = '${type}'`;
  return [
    ...['customer', 'product', 'orders', 'order_product'].map(csv),
    `CREATE TABLE entity AS SELECT row_number() OVER (ORDER BY entity_type, key) AS id, entity_type, key FROM (
      SELECT 'customer' AS entity_type, id AS key FROM customer UNION SELECT 'order', CAST(id AS VARCHAR) FROM orders UNION SELECT 'product', id FROM product)`,
    `CREATE TEMP TABLE ranked AS SELECT row_number() OVER (ORDER BY time, change, element, place) AS id, * FROM (
      ${events(1, 'customer', 'since', false, 'customer')} UNION ALL ${events(2, 'orders', 'placed_at', false, 'order')}
      UNION ALL ${events(2, 'orders', 'shipped_at', true, 'order')} WHERE shipped_at <> placed_at UNION ALL ${events(3, 'product', 'launched', false, 'product')})`,
    `CREATE TABLE event AS SELECT id, (['Win Customer', 'Place Order', 'Launch Product'])[element] AS element, (['Win Customer', 'Place Order', 'Launch Product'])[element] AS activity,
      CASE WHEN change THEN 'change' ELSE 'start' END AS lifecycle, time, entity_id FROM ranked ORDER BY id`,
    `CREATE TABLE properties_1 AS SELECT r.id AS event_id, city FROM ranked AS r JOIN customer AS t ON t.rowid = r.place WHERE element = 1 ORDER BY 1`,
    `CREATE TABLE properties_2 AS SELECT r.id AS event_id, amount, note FROM ranked AS r JOIN orders AS t ON t.rowid = r.place WHERE element = 2 ORDER BY 1`,
    `CREATE TABLE properties_3 AS SELECT r.id AS event_id, name FROM ranked AS r JOIN product AS t ON t.rowid = r.place WHERE element = 3 ORDER BY 1`,
    `CREATE TABLE relation AS
      SELECT DISTINCT 'contains' AS relationship, s.id AS source_entity_id, t.id AS target_entity_id FROM order_product AS x
        JOIN entity AS s ON s.entity_type = 'order' AND s.key = CAST(x.order_id AS VARCHAR) JOIN entity AS t ON t.entity_type = 'product' AND t.key = x.product_id
      UNION ALL SELECT DISTINCT 'places', s.id, t.id FROM orders AS o
        JOIN entity AS s ON s.entity_type = 'customer' AND s.key = o.customer JOIN entity AS t ON t.entity_type = 'order' AND t.key = CAST(o.id AS VARCHAR) ORDER BY 1, 2, 3`,
    `CREATE TABLE event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM event UNION ALL
      SELECT event.id, reader, relationship FROM (SELECT relationship, source_entity_id AS owner, target_entity_id AS reader FROM relation
        UNION SELECT relationship, target_entity_id, source_entity_id FROM relation) AS pair JOIN event ON event.entity_id = pair.owner`,
    `CREATE TABLE directly_follows AS SELECT * FROM (
        SELECT entity_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id, event_id AS target_event_id
        FROM (SELECT DISTINCT event_id, entity_id FROM event_entity)
      ) WHERE source_event_id IS NOT NULL`,
    'CHECKPOINT',
  ];
}
