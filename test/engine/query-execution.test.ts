import assert from 'node:assert/strict';
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import type { Catalog, SqlDialect } from '../../server/src/catalog/catalog.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../server/src/query/build-query.ts';
import { dialectNamed } from '../../server/src/dialects/index.ts';
import { canonicalText } from '../../server/src/query/canonical-text.ts';
import { codePointsToUtf16, mapErrorPosition } from '../../server/src/query/map-error-position.ts';
import { quoteIdentifier, quoteLiteral, quotePath } from '../../server/src/query/quote.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import {
  catalogOf,
  graphOf,
  type PlainElement,
  type PlainObject,
  type PlainRelationship,
} from '../unit/query/graph-fixture.ts';
import { caseObjects, queryCases } from '../unit/query/query-cases.ts';
import { canonicalCases } from './canonical-cases.ts';

type Rows = readonly (readonly unknown[])[];

/** Rows of the tables of the unit cases, in column order. */
const data: Readonly<Record<string, readonly (readonly (string | number | null)[])[]>> = {
  incident: [
    ['i1', 'INC1', 1, 'new', 'net%', 'u1', 'p1', '2024-01-02 10:00:00', '2024-01-03', 1],
    ['i2', 'INC2', 2, 'x', 'disk', null, 'i1', '2024-01-01 10:00:00', null, 2],
    ['i3', 'INC3', 3, 'new', 'disk', 'u2', 'i1', '2024-01-05 10:00:00', null, 3],
    [null, 'INC4', null, 'new', null, 'u1', 'p1', null, null, null],
    ['k2', 's2', 1, "it's", 'a_b', 'u2', 'p2', '2024-01-01 10:00:00', null, 1],
  ],
  problem: [
    ['p1', 'disk', '2024-01-02 10:00:00', 'net\\%'],
    ['p2', 'Ann', '2024-01-01 10:00:00', 'a\\_b'],
    ['p3', null, null, null],
  ],
  'itsm.task_ci': [
    ['i1', 'p1', 1],
    ['i2', 'p2', 2],
    ['i3', 'p2', 2.5],
    [null, 'p1', 1],
  ],
  sys_user: [
    ['u1', 'disk', 'Ann'],
    ['u2', 'disk', 'disk'],
  ],
  'Ünïcode "quoted" Order': [
    ['k1', 'i1', "it's", 'größer', 'U', '2024-01-01 00:00:00', '\\'],
    ['k2', 'k2', "it's", 'other', 'U', null, "'"],
    ['k3', null, "it's", 'other', 'U', null, ''],
  ],
};

/** The pairs of each relationship of the unit cases; all other cases have equal rows in both engines. */
const expectedPairs: Readonly<Record<string, Rows>> = {
  'a relationship over several columns with every operator': [],
  'expressions, joined columns in mappings and expressions, filters on both ends': [['i3', 'p1']],
  'a cross table with operators on both sides, its alias in an expression': [
    ['i2', 'p1'],
    ['i2', 'p3'],
    ['i3', 'p1'],
    ['i3', 'p3'],
  ],
  'an element related to itself': [['i3', 'i1']],
  'strange names and a composite key in a relationship': [['k2', 'k2', 'k2']],
};

describe('queries executed by DuckDB and PostgreSQL', () => {
  let postgres: TestPostgres;
  let database: string;
  let duckdb: DuckDBConnection;

  before(async () => {
    postgres = await sharedPostgres();
    database = await postgres.createDatabase();
    duckdb = await (await DuckDBInstance.create(':memory:')).connect();
    for (const [name, object] of Object.entries(caseObjects)) {
      await postgres.query(database, createTable(name, object, 'postgresql'));
      await duckdb.run(createTable(name, object, 'duckdb'));
    }
  });

  after(() => duckdb.closeSync());

  async function run(dialect: SqlDialect, sql: string): Promise<Rows> {
    const asText = `SELECT ${dialect === 'duckdb' ? 'to_json(q)::varchar' : 'to_json(q)::text'} AS row FROM (${sql}) AS q`;
    const rows =
      dialect === 'duckdb'
        ? (await duckdb.runAndReadAll(asText)).getRows().map(([row]) => row)
        : (await postgres.query(database, asText)).map(({ row }) => row);
    return rows.map((row) => Object.values(JSON.parse(String(row)) as object));
  }

  for (const { title, sql } of queryCases) {
    it(`give equal results: ${title}`, async () => {
      const [fromPostgres, fromDuckdb] = [await run('postgresql', sql.postgresql), await run('duckdb', sql.duckdb)];
      const plain = (rows: Rows, width = Infinity) =>
        rows.map((row) => JSON.stringify(row.slice(0, width)).replaceAll(' ', 'T')).sort();
      // DuckDB itself numbers the rows of a file.
      assert.deepEqual(plain(fromDuckdb, fromPostgres[0]?.length), plain(fromPostgres));
      const expected = expectedPairs[title];
      if (expected) assert.deepEqual(plain(fromPostgres), plain(expected));
      else assert.ok(fromPostgres.length > 0);
    });
  }

  it('match LIKE and its backslash identically, and never match NULL', async () => {
    for (const dialect of ['postgresql', 'duckdb'] as const) {
      const pairs = async (operator: 'like' | 'not like' | '!=') =>
        run(dialect, relationshipSql(dialect, { mappings: [['category', operator, 'pattern']] })).then((rows) =>
          [...rows].sort(),
        );
      assert.deepEqual(await pairs('like'), [
        ['i1', 'p1'],
        ['k2', 'p2'],
      ]);
      assert.deepEqual((await pairs('not like')).length, 6);
      assert.deepEqual((await pairs('!=')).length, 8);
    }
  });

  it('distinguish columns that differ by case (PostgreSQL) and columns behind an alias', async () => {
    const objects = { Case: { columns: ['id', 'ID', 'Id', 'n.id'], primaryKey: ['id'] } };
    await postgres.query(
      database,
      `CREATE TABLE public."Case" (id text, "ID" text, "Id" text, "n.id" text); INSERT INTO "Case" VALUES ('1', '2', '3', '4')`,
    );
    const element = {
      ...{ activityName: 'A', dataObject: 'Case', startTimestamp: 'ID', joins: 'JOIN "Case" n ON true' },
      properties: ['Id', 'n.id', 'n.ID', 'Case.n.id'],
    };
    const sql = elementSql(element, catalogOf('postgresql', objects));
    assert.deepEqual(await run('postgresql', sql), [['1', '2', '3', '4', '2', '4']]);
  });

  it('shorten result names to the limits of the engine', async () => {
    const long = 'ü'.repeat(30);
    const objects = { Wide: { columns: ['id'], primaryKey: ['id'] } };
    // DuckDB confuses the second alias with the first.
    const joined = `JOIN (SELECT 1 AS "${long}1", 2 AS "${long}2") AS joined ON true`;
    const joins = { duckdb: joined, postgresql: `${joined} JOIN (SELECT 3 AS "${long}1") AS "JOINED" ON true` };
    await postgres.query(database, `CREATE TABLE public."Wide" (id text); INSERT INTO "Wide" VALUES ('a')`);
    await duckdb.run(`CREATE TABLE "Wide" AS SELECT 'a' AS id, 7 AS __file_row`);
    const properties = [`joined.${long}1`, `joined.${long}2`, `JOINED.${long}1`];
    for (const dialect of ['postgresql', 'duckdb'] as const) {
      const names = { activityName: 'A', dataObject: 'Wide', startTimestamp: 'id' };
      const { graph } = graphOf([{ ...names, joins: joins[dialect], properties }]);
      const result = buildElementQuery(graph, graph.elements[0] ?? assert.fail(), catalogOf(dialect, objects));
      assert.ok('query' in result);
      const { sql, columns } = result.query;
      const outer = `SELECT ${columns.map(quoteIdentifier).join(', ')} FROM (${sql}) AS q`;
      const rows = await run(dialect, outer);
      assert.deepEqual(rows, [dialect === 'duckdb' ? ['a', 1, 2, 1, 7] : ['a', 1, 2, 3]]);
    }
  });

  it("an error of PostgreSQL is mapped to the user's text", async () => {
    const element = {
      activityName: 'A',
      dataObject: 'incident',
      startTimestamp: 'opened_at',
      where: `'😀' = '' AND nope = 1`,
    };
    const { graph, text } = graphOf([element]);
    const result = buildElementQuery(graph, graph.elements[0] ?? assert.fail(), catalogOf('postgresql', caseObjects));
    assert.ok('query' in result);
    const { query } = result;
    const error = await postgres.query(database, query.sql).then(
      () => assert.fail('the query ran'),
      (reason: { readonly position: string }) => reason,
    );
    const range = mapErrorPosition(query, codePointsToUtf16(query.sql, Number(error.position)));
    assert.equal(range && text.slice(range.start, range.end), 'nope');
  });

  it('round-trip hostile literals', async () => {
    for (const text of ["'", "''; DROP TABLE x; --", '\\', "\\'", 'E\\n', '😀\n"$$']) {
      for (const dialect of ['postgresql', 'duckdb'] as const) {
        assert.deepEqual(await run(dialect, `SELECT ${quoteLiteral(text, dialect)} AS a`), [[text]]);
      }
    }
  });

  describe('canonical text', () => {
    for (const { postgresql, duckdb: staged, sense, expected } of canonicalCases) {
      const value = (postgresql ?? staged)?.join('::');
      it(`of ${value} is ${expected}`, async () => {
        for (const [dialect, typed] of [
          ['postgresql', postgresql],
          ['duckdb', staged],
        ] as const) {
          if (!typed) continue;
          const [literal, type] = typed;
          const sql = `SELECT ${canonicalText('v', type, dialect, sense)} AS t FROM (SELECT CAST(${quoteLiteral(literal, dialect)} AS ${type}) AS v) AS x`;
          assert.deepEqual(await run(dialect, sql), [[expected]], dialect);
        }
      });
    }

    it('of NULL is NULL, and of several parts a JSON array', async () => {
      const parts = ['a"b\\c', "it's", '\u0001\b\n\t/é😀\u2028\u007f', ''];
      for (const dialect of ['postgresql', 'duckdb'] as const) {
        const quoted = parts.map((part) =>
          canonicalText(quoteLiteral(part, dialect), dialect === 'duckdb' ? 'VARCHAR' : 'text', dialect),
        );
        assert.deepEqual(
          await run(dialect, `SELECT ${dialectNamed(dialect).canonical.key(quoted)} AS t`),
          [[JSON.stringify(parts)]],
          dialect,
        );
        for (const type of dialect === 'duckdb'
          ? ['DOUBLE', 'TIMESTAMP', 'DECIMAL(4,2)', 'DATE', 'BLOB']
          : ['float8', 'timestamptz', 'numeric', 'date', 'bytea']) {
          const sql = `SELECT ${canonicalText(`CAST(NULL AS ${type})`, type, dialect)} AS t`;
          assert.deepEqual(await run(dialect, sql), [[null]], `${dialect} ${type}`);
        }
      }
    });
  });
});

function createTable(name: string, object: PlainObject, dialect: SqlDialect): string {
  const path = dialect === 'duckdb' ? [name] : (object.path ?? ['public', name]);
  const types = { integer: 'integer', number: 'numeric(5,1)', timestamp: 'timestamp' } as const;
  const columns = object.columns.map((column) => {
    const [columnName, sense] = typeof column === 'string' ? [column, 'text'] : column;
    return `${quoteIdentifier(columnName)} ${sense in types ? types[sense as keyof typeof types] : 'text'}`;
  });
  const rows = (data[name] ?? []).map((row, index) => {
    const values = row.map((value) => (value === null ? 'NULL' : quoteLiteral(String(value), dialect)));
    return `(${[...values, ...(dialect === 'duckdb' ? [index] : [])].join(', ')})`;
  });
  const schema = dialect === 'postgresql' ? `CREATE SCHEMA IF NOT EXISTS ${quoteIdentifier(path[0] ?? '')};` : '';
  const extra = dialect === 'duckdb' ? ['"__file_row" bigint'] : [];
  return `${schema} CREATE TABLE ${quotePath(path, dialectNamed(dialect))} (${[...columns, ...extra].join(', ')}); INSERT INTO ${quotePath(path, dialectNamed(dialect))} VALUES ${rows.join(', ')}`;
}

function elementSql(element: PlainElement, catalog: Catalog): string {
  const { graph } = graphOf([element]);
  const result = buildElementQuery(graph, graph.elements[0] ?? assert.fail(), catalog);
  assert.ok('query' in result, JSON.stringify(result));
  return result.query.sql;
}

function relationshipSql(dialect: SqlDialect, relationship: PlainRelationship): string {
  const elements = [
    { activityName: 'A', dataObject: 'incident' },
    { activityName: 'B', dataObject: 'problem' },
  ];
  const { graph } = graphOf(elements, [{ source: 'A', target: 'B', ...relationship }]);
  const result = buildRelationshipQuery(
    graph,
    graph.relationships[0] ?? assert.fail(),
    catalogOf(dialect, caseObjects),
  );
  assert.ok('query' in result, JSON.stringify(result));
  return result.query.sql;
}
