import { deepStrictEqual, equal } from 'node:assert/strict';
import { loadModule, parseSync } from 'libpg-query';
import { namesRead } from '../../../server/src/connectors/postgresql/given/tables-in-tree.ts';
import type { SyntaxTree } from '../../../server/src/sql/syntax-tree.ts';

const read = (sql: string) => namesRead(parseSync(sql) as unknown as SyntaxTree);
const tables = (sql: string) =>
  read(sql).tables.map(({ schema, name, hasAlias, location }) => {
    equal(sql.slice(location).startsWith((schema ?? name).slice(0, 1)) || sql[location] === '"', true);
    return `${schema === undefined ? '' : `${schema}.`}${name}${hasAlias ? ' with alias' : ''}`;
  });

describe('tables in a syntax tree of PostgreSQL', () => {
  before(async () => loadModule());

  for (const [sql, expected] of [
    ['SELECT * FROM "public"."orders" AS o, items', ['public.orders with alias', 'items']],
    ['SELECT (SELECT max(id) FROM a.b) FROM x JOIN y USING (id)', ['a.b', 'x', 'y']],
    ['SELECT 1 WHERE EXISTS (SELECT FROM t UNION ALL SELECT FROM u)', ['t', 'u']],
    [
      'SELECT 1 FROM (SELECT * FROM t ORDER BY (SELECT 1 FROM u) LIMIT 1) AS x, LATERAL (SELECT * FROM v) AS w',
      ['t', 'u', 'v'],
    ],
    // The name of a common table expression is not a table, but only within its scope.
    ['WITH a AS (SELECT * FROM a) SELECT * FROM a, public.a', ['a', 'public.a']],
    ['WITH RECURSIVE a AS (SELECT * FROM a) SELECT * FROM (WITH b AS (SELECT 1) SELECT * FROM a, b) AS x, b', ['b']],
    ['SELECT 1 FROM ROWS FROM (generate_series(1, (SELECT max(i) FROM t))) AS g', ['t']],
    ['VALUES ((SELECT 1 FROM t))', ['t']],
  ] as const) {
    it(`are found: ${sql}`, () => deepStrictEqual(tables(sql).toSorted(), [...expected].toSorted()));
  }

  for (const [sql, expected] of [
    ['SELECT * FROM t TABLESAMPLE SYSTEM (1)', 'TABLESAMPLE'],
    ['SELECT * FROM ONLY t', 'ONLY'],
    ['SELECT * FROM db.s.t', 'the name of a database before a table'],
    ['SELECT * FROM t FOR UPDATE', 'FOR UPDATE'],
    ['SELECT * INTO x FROM t', 'INTO'],
    ['WITH w AS (DELETE FROM t RETURNING 1) SELECT * FROM w', 'WITH a statement that writes'],
    ['SELECT 1; SELECT 2', 'more than one SELECT'],
    ['DELETE FROM t', 'more than one SELECT'],
  ] as const) {
    it(`cannot be replaced: ${sql}`, () => equal(read(sql).needsTable, expected));
  }

  it('are returned with functions, operators and columns', () => {
    const { functions, operators, columns } = read('SELECT own.f(a.b.c), x.* FROM t AS x WHERE x.a @@ x.b');
    deepStrictEqual([[...functions], [...operators]], [['f'], ['@@']]);
    deepStrictEqual(columns, [
      ['a', 'b', 'c'],
      ['x', '*'],
      ['x', 'a'],
      ['x', 'b'],
    ]);
  });
});
