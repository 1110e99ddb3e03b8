import { graphText } from './import-text.ts';
import { customers as shopCustomers, lines, orders as shopOrders, places } from './shop-graphs.ts';

/** The tables of `shop` as Trino has them, except for infinite times, which it lacks. */
export function trinoShop(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.customers AS SELECT * FROM (VALUES ('ä', DATE '2024-01-01', 'Ä'), ('Z', DATE '2024-01-02', NULL),
      ('a', DATE '2023-12-31', 'x''y'), ('ü "q"', NULL, 'none'), ('self', DATE '2024-03-31', 'me')) AS t (id, since, name)`,
    `CREATE TABLE ${schema}.orders AS SELECT id, part, customer, CAST(at AS timestamp(6) with time zone) AS at, CAST(changed AS timestamp(6)) AS changed,
      CAST(seq AS decimal(10, 2)) AS seq, kind, state, CAST(amount AS decimal(10, 2)) AS amount, paid, tags FROM (VALUES
      (1, 1, 'ä', TIMESTAMP '2024-03-31 01:30:00 UTC', TIMESTAMP '2024-03-31 02:30:00', 2, 'b', 'New', 1.50, true, ARRAY['a', 'b']),
      (1, 2, 'ä', TIMESTAMP '2024-03-31 01:30:00 UTC', TIMESTAMP '2024-10-27 02:30:00', 10, 'B', 'Paid', NULL, false, NULL),
      (2, 1, 'Z', TIMESTAMP '2024-03-31 01:30:00 UTC', NULL, NULL, NULL, NULL, 3, NULL, ARRAY[]),
      (3, 1, NULL, NULL, TIMESTAMP '2024-01-01 00:00:00', 1, 'a', 'New', 4, true, ARRAY['c']),
      (4, 1, 'self', TIMESTAMP '2024-02-01 00:00:00 UTC', TIMESTAMP '2024-01-01 00:00:00', 1, 'ä', 'New', 4, true, NULL),
      (5, 1, 'a', TIMESTAMP '2024-01-05 00:00:00.123456 +02:00', TIMESTAMP '2024-01-04 00:00:00', 1, 'Z', 'Lost', 0.1, true, NULL)
      ) AS t (id, part, customer, at, changed, seq, kind, state, amount, paid, tags)`,
    `CREATE TABLE ${schema}.lines AS SELECT order_id, part, product, at, CAST(weight AS double) AS weight, CAST(qty AS bigint) AS qty FROM (VALUES
      (1, 1, 'p', '2024-01-01T10:00:00+02:00', 1.5, 9007199254740993), (1, 1, 'p', '2024-01-01T10:00:00+02:00', 1.5, 9007199254740993),
      (1, 2, 'q', '2024-01-02 10:00', 2.25, NULL), (2, 1, 'q', '2024-01-02', NULL, 1), (9, 9, 'r', NULL, 0, 2)) AS t (order_id, part, product, at, weight, qty)`,
    `CREATE TABLE ${schema}.product_customer AS SELECT * FROM (VALUES ('p', 'ä'), ('p', 'Z'), ('q', 'Z'), ('r', NULL), ('p', 'ä')) AS t (product, customer)`,
  ];
}

// The catalog of Trino has no keys of tables.
const customers = shopCustomers.replace('startTimestamp', 'key: id, startTimestamp');
const orders = shopOrders.replace('startTimestamp', 'key: [id, part], startTimestamp');

/** Graphs that together use every construct of docs/semantics.md that SQL decides, by what they show. */
export const trinoGraphs: Readonly<Record<string, string>> = {
  'orders of several kinds, times in text, expectations of rows': graphText(
    orders.replace(
      'startTimestamp',
      'sequence: paid, activityColumn: state, expect: { unique: [amount, [at, customer], [id, part]], notNull: [state, customer, kind, paid], values: { state: [New, Paid], amount: [1.5, 3, 0.1], paid: [true], id: [1, 2], customer: ["\'"] }, rows: "7.." }, startTimestamp',
    ) +
      customers.replace(
        'startTimestamp',
        'sequence: name, expect: { unique: [name], values: { since: [2024-01-01] }, rows: ..3 }, startTimestamp',
      ) +
      lines.replace('startTimestamp', 'sequence: qty, startTimestamp'),
  ),
  'computed times, joins, a filter, properties with names of their own': graphText(
    orders
      .replace('startTimestamp: at', `startTimestamp: { expression: "orders.at - part * INTERVAL '1' HOUR" }`)
      .replace('changeTimestamp: changed', 'changeTimestamp: { expression: "CAST(changed AS date)" }') +
      `  - activityName: Ship\n    dataObject: orders\n    key: [id, part]\n    startTimestamp: { expression: "CASE WHEN l.at LIKE '____-__-__T%' THEN from_iso8601_timestamp(l.at) END" }\n    changeTimestamp: { expression: "(SELECT max(since) FROM customers WHERE id = orders.customer)" }\n    joins: JOIN lines AS l ON l.order_id = orders.id\n    where: orders.paid\n    properties: [amount, { column: l.weight, name: weight }, { column: part, name: Part of it }, { column: l.at, name: startTimestamp~2 }, { column: at, name: "at the hour" }]\n`,
  ),
  'relations of all directions, paths, rules': `${graphText(
    customers + orders + lines,
    places +
      '  - { name: all again, source: Win, target: Win, path: [buys, bought by], correlate: target }\n' +
      '  - { name: has, source: Order, target: Pick, correlate: source, mappings: [{ source: id, target: order_id }, { source: part, target: part }] }\n' +
      '  - { name: buys, source: Win, target: Pick, path: [places, has] }\n' +
      '  - { name: bought by, source: Pick, target: Win, path: [has, places], correlate: source }\n' +
      '  - { name: before, source: Order, target: Order, correlate: none, mappings: [{ source: id, operator: "<", target: id }] }\n' +
      '  - { name: behind, source: Order, target: Order, correlate: none, path: [{ relationship: before, reverse: true }] }\n' +
      // Ten directions: more than one statement has.
      '  - { name: near, source: Order, target: Order, path: [{ relationship: before, reverse: false }] }\n' +
      '  - { name: likes, source: Pick, target: Win, correlate: target, crossTable: { dataObject: product_customer, sourceMappings: [{ source: product, cross: product }], targetMappings: [{ cross: customer, target: id }] } }\n',
  )}rules:
  - { name: Customers order, each: { entityType: customers }, expect: [{ activity: Order, after: Win, within: 60d }] }
  - { name: Orders are picked at once, each: { activity: Order }, expect: [{ activity: Pick, directly: true, of: orders }] }
  - { name: Nothing is picked before, each: { entityType: orders }, expect: [{ never: Pick, before: Order }] }
  - { name: Picked in time, each: { entityType: orders }, expect: [{ from: Order, to: Pick, atMost: 2d, take: each }] }
  - { name: Few orders, each: { entityType: customers }, expect: [{ relationship: places, count: ..1 }, { activity: Order, count: "1..2" }] }
  - { name: Amounts, each: { activity: Order, where: paid }, expect: [{ sql: "amount < 4" }] }
`,
  'ends in the same row, and starts and ends in two rows': graphText(
    orders.replace(
      'changeTimestamp: changed',
      `changeTimestamp: { expression: "changed - INTERVAL '1' DAY" }, endTimestamp: changed`,
    ) +
      '  - { activityName: Handle, dataObject: orders, key: customer, entityType: customers, startTimestamp: at, sequence: seq, lifecycle: { column: state, start: [New], end: [Paid, Lost] } }\n' +
      lines.replace(
        'startTimestamp',
        'activityColumn: weight, lifecycle: { column: part, start: ["1"], end: ["2"] }, startTimestamp',
      ) +
      customers,
    places,
  ),
  'lists, separators, events without an entity of their own': graphText(
    customers.replace(
      'startTimestamp',
      'correlatesWith: [{ entityType: letter, key: id, separator: " " }], startTimestamp',
    ) +
      orders.replace(
        'key: [id, part], startTimestamp',
        'key: [id, part], ownEntity: false, correlatesWith: [{ entityType: tag, key: tags, each: list }, { entityType: tag, key: state, qualifier: state }, { entityType: customers, key: customer, qualifier: for }], startTimestamp',
      ) +
      lines.replace(
        'key: product, entityType: product, startTimestamp',
        'key: product, entityType: product, correlatesWith: [{ entityType: product, key: product, qualifier: same }, { entityType: order, key: [order_id, part] }, { entityType: order, key: [order_id, part], qualifier: again }, { entityType: quantity, key: qty }, { entityType: quantity, key: weight }], startTimestamp',
      ),
  ),
  'entities without events, values over time': `${graphText(lines, '')}entities:
  - { entityType: customer, dataObject: customers, key: id, properties: all }
  - { name: Known products, entityType: product, dataObject: product_customer, key: product, properties: [customer] }
  - { name: Orders, dataObject: orders, key: [id, part], where: orders.id < 4, properties: [amount, changed] }
  - { entityType: customer, name: Buyers, dataObject: orders, key: customer, validFrom: changed, properties: [amount, state, tags, paid, at] }
  - { entityType: order, dataObject: orders, key: id, name: Versions, validFrom: at, properties: [kind, { column: part, name: value_time }] }
  - { entityType: product, dataObject: lines, name: Texts, key: product, validFrom: at, properties: [qty] }
relationships:
  - { name: likes, source: customer, target: Pick, crossTable: { dataObject: product_customer, sourceMappings: [{ source: id, cross: customer }], targetMappings: [{ cross: product, target: product }] } }
  - { name: bought, source: Orders, target: customer, mappings: [{ source: customer, target: id }] }
`,
};
