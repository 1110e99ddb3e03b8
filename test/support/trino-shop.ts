import { graphText } from './import-text.ts';
import { lines } from './shop-graphs.ts';

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

/** Graphs of constructs that `shop` has tables for, by what they show. */
export const trinoGraphs: Readonly<Record<string, string>> = {
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
