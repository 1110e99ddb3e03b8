import { deepStrictEqual, throws } from 'node:assert/strict';
import type { DataObject } from '../../../server/src/catalog/catalog.ts';
import type { GivenData } from '../../../server/src/connectors/given/given-data.ts';
import { findTableNames } from '../../../server/src/connectors/given/online/find-table-names.ts';
import { replaceTables } from '../../../server/src/connectors/given/online/replace-tables.ts';
import type { CompiledQuery } from '../../../server/src/query/compiled-query.ts';

const objectAt = (...path: string[]): DataObject => ({
  ...{ name: path.at(-1) ?? '', kind: 'table', path, columns: [], primaryKey: [], foreignKeys: [] },
  statistics: { columnCount: 0 },
});

const dialects = {
  mysql: {
    objects: [
      objectAt('shop', 'orders'),
      objectAt('shop', 'items'),
      objectAt('other', 'orders'),
      objectAt('shop', 'year'),
    ],
    places: { defaults: [['shop']], roots: ['shop', 'other', 'mysql'] },
  },
  trino: {
    objects: [objectAt('lake', 'shop', 'orders'), objectAt('lake', 'shop', 'items'), objectAt('crm', 'x', 'orders')],
    places: { defaults: [['lake', 'shop'], ['lake']], roots: ['lake', 'crm', 'system'] },
  },
} as const;

type Name = keyof typeof dialects;

/** The statement with `‹path›` in place of each table, and `«path»` in common table expressions of its own. */
function replaced(dialect: Name, sql: string): string {
  const { objects, places } = dialects[dialect];
  const catalog = { dataSource: 'db', kind: dialect, dialect, objects, complete: true, readAt: '', warnings: [] };
  const data: GivenData = { catalog, objects: [], timeZone: 'UTC', settings: {} };
  const query: CompiledQuery = { dialect, sql, columns: [], dataObjects: [], fragments: [], references: [] };
  let text = sql;
  for (const { start, end, object, ownAlias, isInOwnExpression } of findTableNames(query, data, places).toReversed()) {
    const alias = ownAlias === undefined ? '' : ` AS ${ownAlias}`;
    const [open, close] = isInOwnExpression ? '«»' : '‹›';
    text = `${text.slice(0, start)}${open}${object.path.join('.')}${close}${alias}${text.slice(end)}`;
  }
  return text;
}

const found: readonly [dialect: Name, sql: string, expected: string][] = [
  ['mysql', 'SELECT 1 FROM `shop`.`orders` AS `orders`', 'SELECT 1 FROM ‹shop.orders› AS `orders`'],
  ['mysql', 'SELECT 1 FROM orders WHERE orders.id > 0', 'SELECT 1 FROM ‹shop.orders› AS orders WHERE orders.id > 0'],
  [
    'mysql',
    'SELECT 1 FROM ORDERS o, other . orders, items i',
    'SELECT 1 FROM ‹shop.orders› o, ‹other.orders› AS orders, ‹shop.items› i',
  ],
  [
    'mysql',
    'SELECT 1 FROM (orders JOIN items ON 1 = 1), other.orders AS b',
    'SELECT 1 FROM (‹shop.orders› AS orders JOIN ‹shop.items› AS items ON 1 = 1), ‹other.orders› AS b',
  ],
  [
    'mysql',
    'SELECT 1 FROM orders a JOIN items b ON f(a.x, b.y) > 0, items c',
    'SELECT 1 FROM ‹shop.orders› a JOIN ‹shop.items› b ON f(a.x, b.y) > 0, ‹shop.items› c',
  ],
  [
    'mysql',
    'SELECT EXTRACT(YEAR FROM year), TRIM(BOTH 1 FROM x) FROM orders',
    'SELECT EXTRACT(YEAR FROM year), TRIM(BOTH 1 FROM x) FROM ‹shop.orders› AS orders',
  ],
  [
    'mysql',
    'SELECT o.from, o.join FROM orders o GROUP BY a, items',
    'SELECT o.from, o.join FROM ‹shop.orders› o GROUP BY a, items',
  ],
  [
    'mysql',
    "SELECT 'FROM orders' -- FROM orders\nFROM orders o",
    "SELECT 'FROM orders' -- FROM orders\nFROM ‹shop.orders› o",
  ],
  [
    'mysql',
    'SELECT 1 FROM (SELECT * FROM orders) AS x UNION SELECT 1 FROM items',
    'SELECT 1 FROM (SELECT * FROM ‹shop.orders› AS orders) AS x UNION SELECT 1 FROM ‹shop.items› AS items',
  ],
  [
    'trino',
    'SELECT 1 FROM orders, shop.items, lake.shop.items AS c, "crm"."x"."orders"',
    'SELECT 1 FROM ‹lake.shop.orders› AS orders, ‹lake.shop.items› AS items, ‹lake.shop.items› AS c, ‹crm.x.orders› AS "orders"',
  ],
  [
    'trino',
    'SELECT a IS DISTINCT FROM b FROM orders o, UNNEST(o.x) AS t (y), items',
    'SELECT a IS DISTINCT FROM b FROM ‹lake.shop.orders› o, UNNEST(o.x) AS t (y), ‹lake.shop.items› AS items',
  ],
  [
    'trino',
    'SELECT CAST(a AS timestamp(6) with time zone) FROM orders',
    'SELECT CAST(a AS timestamp(6) with time zone) FROM ‹lake.shop.orders› AS orders',
  ],
  [
    'trino',
    'SELECT 1 FROM orders o CROSS JOIN LATERAL (SELECT o.a FROM items) x',
    'SELECT 1 FROM ‹lake.shop.orders› o CROSS JOIN LATERAL (SELECT o.a FROM ‹lake.shop.items› AS items) x',
  ],
  [
    'mysql',
    'SELECT 1 FROM (WITH a AS (SELECT * FROM orders), `b` (x, y) AS (SELECT 1, 2 FROM a, items) SELECT 1 FROM a JOIN b) AS q, items c',
    'SELECT 1 FROM (WITH a AS (SELECT * FROM «shop.orders» AS orders), `b` (x, y) AS (SELECT 1, 2 FROM a, «shop.items» AS items) SELECT 1 FROM a JOIN b) AS q, ‹shop.items› c',
  ],
  [
    'mysql',
    'SELECT 1 FROM items WHERE EXISTS (WITH orders AS (SELECT * FROM orders) SELECT 1 FROM orders, (SELECT 1 FROM orders) AS x) AND EXISTS (SELECT 1 FROM orders)',
    'SELECT 1 FROM ‹shop.items› AS items WHERE EXISTS (WITH orders AS (SELECT * FROM «shop.orders» AS orders) SELECT 1 FROM orders, (SELECT 1 FROM orders) AS x) AND EXISTS (SELECT 1 FROM ‹shop.orders› AS orders)',
  ],
  [
    'mysql',
    'SELECT 1 FROM (WITH a AS (SELECT 1) SELECT 1 FROM a UNION SELECT 1 FROM shop.orders) AS q',
    'SELECT 1 FROM (WITH a AS (SELECT 1) SELECT 1 FROM a UNION SELECT 1 FROM ‹shop.orders› AS orders) AS q',
  ],
  [
    'mysql',
    'SELECT 1 FROM (WITH RECURSIVE orders AS (SELECT 1 UNION ALL SELECT 1 FROM orders) SELECT 1 FROM orders, items) AS q',
    'SELECT 1 FROM (WITH RECURSIVE orders AS (SELECT 1 UNION ALL SELECT 1 FROM orders) SELECT 1 FROM orders, ‹shop.items› AS items) AS q',
  ],
  [
    'trino',
    'SELECT 1 FROM (WITH "orders" AS (SELECT 1 FROM lake.shop.orders) SELECT 1 FROM orders o) AS q',
    'SELECT 1 FROM (WITH "orders" AS (SELECT 1 FROM «lake.shop.orders» AS orders) SELECT 1 FROM orders o) AS q',
  ],
];

const refused: readonly [dialect: Name, sql: string, reason: RegExp][] = [
  ['mysql', 'SELECT 1 FROM nowhere', /nowhere is no data object/u],
  ['mysql', 'SELECT 1 FROM information_schema.tables', /no data object/u],
  ['mysql', 'SELECT shop.orders.id FROM shop.orders', /shop before a dot/u],
  ['mysql', 'SELECT shop.f(1) FROM orders', /shop before a dot/u],
  ['mysql', 'SELECT 1 FROM orders USE INDEX (a)', /USE behind a table/u],
  ['mysql', 'SELECT 1 FROM orders /*! FORCE INDEX (a) */', /comment that the server executes/u],
  ['mysql', 'SELECT 1 FROM (TABLE items) AS x', /TABLE/u],
  [
    'mysql',
    'SELECT 1 FROM (WITH Orders AS (SELECT 1) SELECT 1 FROM orders) AS q',
    /orders and Orders in it differ by case/u,
  ],
  [
    'mysql',
    'SELECT 1 FROM (WITH a AS (SELECT 1) CYCLE x RESTRICT SELECT 1 FROM a) AS q',
    /its WITH is not understood/u,
  ],
  [
    'mysql',
    'SELECT 1 FROM (WITH RECURSIVE a AS (SELECT 1 FROM orders), orders AS (SELECT 1 FROM a) SELECT 1 FROM a) AS q',
    /WITH RECURSIVE of several queries/u,
  ],
  [
    'trino',
    'SELECT 1 FROM (WITH FUNCTION f() RETURNS bigint RETURN 1 SELECT f() FROM orders) AS q',
    /its WITH is not/u,
  ],
  ['mysql', "SELECT 1 FROM orders WHERE a = 'x", /has no end/u],
  ['mysql', 'SELECT 1 FROM 2024_orders', /not understood/u],
  ['trino', 'SELECT 1 FROM orders TABLESAMPLE BERNOULLI (10)', /TABLESAMPLE behind a table/u],
  ['trino', 'SELECT 1 FROM orders FOR VERSION AS OF 1', /FOR behind a table/u],
  ['trino', 'SELECT 1 FROM TABLE(crm.system.query(query => 1))', /crm before a dot/u],
];

describe('tables of a statement without a parser', () => {
  for (const [dialect, sql, expected] of found) {
    it(`are found in ${dialect}: ${sql.replace('\n', ' ')}`, () => deepStrictEqual(replaced(dialect, sql), expected));
  }
  for (const [dialect, sql, reason] of refused) {
    it(`are uncertain in ${dialect}: ${sql}`, () => throws(() => replaced(dialect, sql), reason));
  }
});

describe('given tables in a statement', () => {
  it('get unused names, and positions of errors are mapped back', () => {
    const sql = 'SELECT given_1.id FROM orders AS given_1 WHERE (\ngiven_1.x > 0\n)';
    const start = sql.indexOf('given_1.x');
    const value = 'given_1.x > 0';
    const source = {
      value,
      range: { start: 100, end: 113 },
      sourceOffsets: Array.from({ length: 14 }, (_, at) => 100 + at),
    };
    const query: CompiledQuery = {
      ...{ dialect: 'mysql', sql, columns: ['id'], dataObjects: ['orders'] },
      ...{
        fragments: [{ offset: start, source }],
        references: [{ offset: 23, length: 6, range: { start: 5, end: 11 } }],
      },
    };
    const object = objectAt('shop', 'orders');
    const { query: given, positionOf } = replaceTables(
      query,
      [{ start: 23, end: 29, object, ownAlias: undefined }],
      () => 'SELECT 7 AS id',
    );
    const before = 'WITH `given_2` AS (\nSELECT 7 AS id\n)\n';
    deepStrictEqual(given.sql, before + sql.replace('FROM orders', 'FROM `given_2`'));
    const [fragment] = given.fragments;
    deepStrictEqual(given.sql.slice(fragment?.offset, (fragment?.offset ?? 0) + value.length), value);
    deepStrictEqual(fragment?.source, source);
    deepStrictEqual(
      given.references.map(({ offset, length }) => given.sql.slice(offset, offset + length)),
      ['`given_2`'],
    );
    deepStrictEqual(positionOf(given.sql.indexOf('x > 0')), sql.indexOf('x > 0'));
    deepStrictEqual(positionOf(given.sql.indexOf('`given_2` AS given_1')), 23);
    deepStrictEqual(positionOf(3), undefined);
  });

  it('are subqueries in common table expressions of the statement', () => {
    const sql = 'SELECT 1 FROM (WITH a AS (SELECT id FROM orders) SELECT id FROM a) AS q';
    const start = sql.indexOf('orders');
    const query: CompiledQuery = {
      ...{ dialect: 'mysql', sql, columns: ['id'], dataObjects: ['orders'], fragments: [], references: [] },
    };
    const object = objectAt('shop', 'orders');
    const reference = { start, end: start + 6, object, ownAlias: 'orders', isInOwnExpression: true };
    const { query: given } = replaceTables(query, [reference], () => 'SELECT 7 AS id');
    deepStrictEqual(given.sql, sql.replace('orders', '(\nSELECT 7 AS id\n) AS orders'));
  });
});
