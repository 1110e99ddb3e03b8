import assert from 'node:assert/strict';
import type { CellValue, Connector, PreviewOptions } from '../../server/src/connectors/connector.ts';
import { maxPreviewBytes } from '../../protocol/preview-limits.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { compiledQuery, postgresqlConnector } from '../support/postgresql-source.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One row per value: the expression in PostgreSQL, its displayed type, and the JSON value. The source is in Berlin. */
const values: readonly (readonly [expression: string, type: string, cell: CellValue])[] = [
  [`true`, 'boolean', true],
  [`(-1)::int2`, 'smallint', -1],
  [`2147483647`, 'integer', 2147483647],
  [`9007199254740993::int8`, 'bigint', '9007199254740993'],
  [`12.50::numeric(10,2)`, 'numeric(10,2)', '12.50'],
  [`'NaN'::numeric`, 'numeric', 'NaN'],
  [`0.1::float8`, 'double precision', 0.1],
  [`'-Infinity'::float4`, 'real', '-Infinity'],
  [`NULL::int`, 'integer', null],
  [`''::text`, 'text', ''],
  [`timestamptz '2024-07-01 12:00:00.123456+02'`, 'timestamp with time zone', '2024-07-01T10:00:00.123456Z'],
  [`date '0044-03-15 BC'`, 'date', '-000043-03-15'],
  [`date '4714-11-24 BC'`, 'date', '-004713-11-24'],
  [`date '12345-01-01'`, 'date', '+012345-01-01'],
  [`date '5874897-12-31'`, 'date', '5874897-12-31'],
  [`date 'infinity'`, 'date', 'infinity'],
  [`timestamp '4713-01-01 00:00:00 BC'`, 'timestamp without time zone', '-004713-12-31T23:06:32.000000Z'],
  [`timestamptz '0044-03-15 12:00:00+00 BC'`, 'timestamp with time zone', '-000043-03-15T12:00:00.000000Z'],
  [`timestamp '2024-07-01 12:00:00.5'`, 'timestamp without time zone', '2024-07-01T10:00:00.500000Z'],
  [`timestamp '2024-03-31 02:30'`, 'timestamp without time zone', '2024-03-31T01:30:00.000000Z'],
  [`timestamp '2024-10-27 02:30'`, 'timestamp without time zone', '2024-10-27T00:30:00.000000Z'],
  [`timestamp 'infinity'`, 'timestamp without time zone', 'infinity'],
  [`date '2024-02-29'`, 'date', '2024-02-29'],
  [`time '08:30'`, 'time without time zone', '08:30:00'],
  [`'\\x00ff'::bytea`, 'bytea', '00ff'],
  [`'{"a": 1}'::json`, 'json', '{"a": 1}'],
  [`ARRAY[1, 2]`, 'integer[]', '{1,2}'],
  [`'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid`, 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
];

describe('PostgreSQL preview', () => {
  let server: TestPostgres;
  let database: string;
  let connector: Connector;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, 'CREATE TABLE n AS SELECT i FROM generate_series(1, 500) AS i');
    connector = await postgresqlConnector(server, database, { timeZone: 'Europe/Berlin' });
  });

  const rowsOf = async (sql: string, options: PreviewOptions): Promise<readonly unknown[]> => {
    const { rows, truncated } = await connector.preview(compiledQuery(sql), options);
    return [rows, truncated];
  };

  it('shows every type as JSON', async () => {
    const list = values.map(([expression], index) => `${expression} AS "v${index}"`);
    const { columns, rows } = await connector.preview(compiledQuery(`SELECT ${list.join(', ')}`), { limit: 10 });
    assert.deepEqual(
      columns.map((column, index) => [values[index]?.[0], column.type, rows[0]?.[index]]),
      values,
    );
  });

  it('caps rows, keeps their order, and says whether there are more', async () => {
    assert.deepEqual(await rowsOf('SELECT i FROM n ORDER BY i DESC', { limit: 2 }), [[[500], [499]], true]);
    assert.deepEqual(await rowsOf('SELECT i FROM n WHERE i <= 2 ORDER BY i', { limit: 2 }), [[[1], [2]], false]);
    assert.deepEqual(await rowsOf('SELECT i FROM n WHERE false', { limit: 2 }), [[], false]);
    assert.deepEqual(
      await rowsOf('SELECT a.i FROM n AS a JOIN n AS b ON b.i = a.i + 1 ORDER BY a.i DESC -- end', { limit: 1 }),
      [[[499]], true],
    );
  });

  it('stops at its size limit, cancels the statement on the server, and warns', async () => {
    // A terabyte, which does not fit anywhere and does not arrive in time.
    const sql = `SELECT i, repeat('x', 1000000) AS note FROM generate_series(1, 1000000) AS i /* endless */`;
    const { columns, rows, truncated, sizeLimit } = await connector.preview(compiledQuery(sql), { limit: 1_000_000 });
    assert.deepEqual(
      columns.map(({ name, type }) => `${name} ${type}`),
      ['i integer', 'note text'],
    );
    assert.deepEqual([rows.length, rows.at(-1)?.[0], truncated, sizeLimit], [67, 67, true, maxPreviewBytes]);
    await waitUntil('no statement of it runs', async () => {
      const running = await server.query(
        database,
        `SELECT FROM pg_stat_activity WHERE query LIKE '%/* endless */%' AND pid <> pg_backend_pid() AND state = 'active'`,
      );
      return running.length === 0 ? true : undefined;
    });
    const one = `SELECT repeat('x', 70000000) AS note FROM generate_series(1, 3)`;
    const big = await connector.preview(compiledQuery(one), { limit: 3 });
    assert.deepEqual([big.rows.length, big.truncated, big.sizeLimit], [1, true, maxPreviewBytes]);
    const few = await connector.preview(compiledQuery('SELECT i FROM n ORDER BY i'), { limit: 2 });
    assert.deepEqual([few.truncated, few.sizeLimit], [true, undefined]);
  });

  const attempts: readonly (readonly [what: string, sql: string])[] = [
    ['writes through a function', `SELECT lo_create(0)`],
    ['a second statement', `SELECT 1) AS q; COMMIT; CREATE TABLE hacked (); SELECT * FROM (SELECT 1`],
    ['a write in a WITH', `WITH w AS (INSERT INTO n VALUES (0) RETURNING i) SELECT i FROM w`],
  ];
  for (const [what, sql] of attempts) {
    it(`refuses ${what}`, async () => {
      await assert.rejects(connector.preview(compiledQuery(sql), { limit: 1 }), {
        name: 'SourceError',
        code: 'sql-error',
      });
      const tables = await server.query(database, `SELECT FROM pg_class WHERE relname = 'hacked'`);
      assert.equal(tables.length, 0);
    });
  }

  it('stops at the timeout, by default that of the source', async () => {
    const slow = compiledQuery('SELECT pg_sleep(60)::text AS a');
    await assert.rejects(connector.preview(slow, { limit: 1, timeoutMs: 50 }), { code: 'statement-timeout' });
    const quick = await postgresqlConnector(server, database, { settings: { statementTimeout: '50ms' } });
    await assert.rejects(quick.preview(slow, { limit: 1 }), { code: 'statement-timeout' });
  });

  it('cancels the statement on the server', async () => {
    const abort = new AbortController();
    const running = (): Promise<Record<string, unknown>[]> =>
      server.query(
        database,
        `SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT * FROM%sleeping%'`,
      );
    const preview = connector.preview(compiledQuery('SELECT pg_sleep(600)::text AS sleeping'), {
      limit: 1,
      signal: abort.signal,
    });
    const rejected = assert.rejects(preview, /Cancelled by the test\./);
    await waitUntil('the query runs', async () => ((await running()).length > 0 ? true : undefined));
    abort.abort(new Error('Cancelled by the test.'));
    await rejected;
    await waitUntil('the query has ended', async () => ((await running()).length === 0 ? true : undefined));
  });

  it('rejects at once when already cancelled', async () => {
    const signal = AbortSignal.abort(new Error('Too late.'));
    await assert.rejects(connector.preview(compiledQuery('SELECT 1'), { limit: 1, signal }), /Too late\./);
  });

  it('resolves unqualified names in the configured schemas first', async () => {
    await server.query(database, 'CREATE SCHEMA sales; CREATE TABLE sales.n AS SELECT 0 AS i');
    const sales = await postgresqlConnector(server, database, { settings: { schemas: ['sales'] } });
    const { rows } = await sales.preview(compiledQuery('SELECT i FROM n'), { limit: 1 });
    assert.deepEqual(rows, [[0]]);
  });

  it('shows the executed statements', async () => {
    const steps = await connector.steps(compiledQuery('SELECT 1 AS a'), { kind: 'preview', limit: 5 });
    assert.deepEqual(
      steps.map((step) => [step.role, step.text.split('\n').at(-1), step.text.split('\n').length]),
      [
        ['setup', 'BEGIN READ ONLY;', 10],
        ['core', 'SELECT 1 AS a', 1],
        ['wrap', ') AS q LIMIT 6', 3],
      ],
    );
  });
});
