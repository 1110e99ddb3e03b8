import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { type SourceError, isSourceError } from '../../server/src/connectors/source-error.ts';
import type { BuildDatabase } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { makeDevice } from '../support/make-device.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { compiledQuery, postgresqlConnector, type PostgresqlSourceOptions } from '../support/postgresql-source.ts';
import { waitUntil } from '../support/wait-until.ts';

/** One row per value: the expression in PostgreSQL, its staged DuckDB type, and its text in DuckDB (null is NULL). */
const values: readonly (readonly [expression: string, stagedType: string, staged: string | null])[] = [
  [`true`, 'BOOLEAN', 'true'],
  [`(-32768)::int2`, 'SMALLINT', '-32768'],
  [`2147483647::int4`, 'INTEGER', '2147483647'],
  [`9223372036854775807::int8`, 'BIGINT', '9223372036854775807'],
  [`4294967295::oid`, 'BIGINT', '4294967295'],
  [`0.1::float4`, 'FLOAT', '0.1'],
  [`1e308::float8`, 'DOUBLE', '1e+308'],
  [`(0.1::float8 + 0.2)`, 'DOUBLE', '0.30000000000000004'],
  [`'NaN'::float8`, 'DOUBLE', 'nan'],
  [`'-Infinity'::float8`, 'DOUBLE', '-inf'],
  [`12.50::numeric(10,2)`, 'DECIMAL(10,2)', '12.50'],
  [`'NaN'::numeric(10,2)`, 'VARCHAR', 'NaN'],
  [`99999999999999999999999999999999999999::numeric(38,0)`, 'DECIMAL(38,0)', '99999999999999999999999999999999999999'],
  [`1234::numeric(40,0)`, 'DECIMAL(38,0)', '1234'],
  [`1299::numeric(3,-2)`, 'DECIMAL(38,0)', '1300'],
  [`0.00012::numeric(3,5)`, 'DECIMAL(38,5)', '0.00012'],
  [`1.500::numeric`, 'DECIMAL(38,1)', '1.5'],
  [`(12.5::numeric(20,2) * 3::numeric(20,0))`, 'DECIMAL(38,1)', '37.5'],
  [`NULL::numeric`, 'DECIMAL(38,0)', null],
  [`'NaN'::numeric`, 'VARCHAR', 'NaN'],
  [`'-Infinity'::numeric`, 'VARCHAR', '-Infinity'],
  [`(1e37::numeric + 0.25)`, 'VARCHAR', `1${'0'.repeat(37)}.25`],
  [`1e50::numeric`, 'VARCHAR', `1${'0'.repeat(50)}`],
  [`''::text`, 'VARCHAR', ''],
  [`NULL::text`, 'VARCHAR', null],
  [`E'a,"b"\\r\\n\\tö😀\\\\N'::text`, 'VARCHAR', 'a,"b"\r\n\tö😀\\N'],
  [`' x '::varchar(5)`, 'VARCHAR', ' x '],
  [`'ab'::char(4)`, 'VARCHAR', 'ab  '],
  [`'\\x00ff7e22'::bytea`, 'VARCHAR', '00ff7e22'],
  [`''::bytea`, 'VARCHAR', ''],
  [`'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid`, 'VARCHAR', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  [`timestamp '2024-02-29 23:59:59.123456'`, 'TIMESTAMP', '2024-02-29 23:59:59.123456'],
  [`timestamp 'infinity'`, 'TIMESTAMP', 'infinity'],
  [`timestamp '-infinity'`, 'TIMESTAMP', '-infinity'],
  [`timestamp '12345-01-01 00:00:00'`, 'TIMESTAMP', '12345-01-01 00:00:00'],
  [`timestamptz '2024-07-01 12:00:00.000001+02'`, 'TIMESTAMP', '2024-07-01 10:00:00.000001'],
  [`timestamptz '1850-01-01 00:53:28+00:53:28'`, 'TIMESTAMP', '1850-01-01 00:00:00'],
  [`timestamptz 'infinity'`, 'TIMESTAMP', 'infinity'],
  [`date '2024-02-29'`, 'DATE', '2024-02-29'],
  [`date '-infinity'`, 'DATE', '-infinity'],
  [`time '24:00'`, 'VARCHAR', '24:00:00'],
  [`timetz '10:00:00.5+01'`, 'VARCHAR', '10:00:00.5+01'],
  [`interval '1 year 2 days 03:00'`, 'VARCHAR', '1 year 2 days 03:00:00'],
  [`'{"a": [1,  2]}'::json`, 'VARCHAR', '{"a": [1,  2]}'],
  [`'{"b":1,"a":"x,y"}'::jsonb`, 'VARCHAR', '{"a": "x,y", "b": 1}'],
  [`ARRAY['a,b', NULL, '"']`, 'VARCHAR', '["a,b",null,"\\""]'],
  [`ARRAY[[1,2],[3,4]]`, 'VARCHAR', '[[1,2],[3,4]]'],
  [`ROW(1, 'x')::pair`, 'VARCHAR', '{"a":1,"b":"x"}'],
  [`'two words'::mood`, 'VARCHAR', 'two words'],
  [`7::positive`, 'INTEGER', '7'],
  [`3.10::price`, 'DECIMAL(8,2)', '3.10'],
  [`int4range(1, 5)`, 'VARCHAR', '[1,5)'],
  [`'10.0.0.1'::inet`, 'VARCHAR', '10.0.0.1'],
  [`to_tsvector('simple', 'b a')`, 'VARCHAR', `'a':2 'b':1`],
  [`B'101'`, 'VARCHAR', '101'],
];

const typeDefinitions = `CREATE TYPE pair AS (a int, b text); CREATE TYPE mood AS ENUM ('two words');
  CREATE DOMAIN positive AS int CHECK (VALUE > 0); CREATE DOMAIN amount AS numeric(8,2); CREATE DOMAIN price AS amount;`;

describe('PostgreSQL pull', () => {
  let server: TestPostgres;
  let database: string;
  let connector: Connector;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, typeDefinitions);
    connector = await postgresqlConnector(server, database);
  });

  const pulling = async <T>(
    use: (pull: Awaited<ReturnType<Connector['openPull']>>, staging: BuildDatabase) => Promise<T>,
    options: PostgresqlSourceOptions = {},
  ): Promise<T> => {
    const source = await postgresqlConnector(server, database, options);
    return withBuildDatabase(async (staging) => {
      const pull = await source.openPull(staging, {});
      try {
        return await use(pull, staging);
      } finally {
        await pull.close();
      }
    });
  };

  const stagedTexts = async (staging: BuildDatabase, table: string, columns: number): Promise<readonly unknown[]> => {
    const list = Array.from({ length: columns }, (_, index) => `c${index + 1}::VARCHAR AS c${index + 1}`);
    const [row] = await staging.query(`SELECT ${list.join(', ')} FROM ${table}`);
    return list.map((_, index) => row?.[`c${index + 1}`]);
  };

  it('stages every type without loss', async () => {
    const sql = `SELECT ${values.map(([expression], index) => `${expression} AS "v${index}"`).join(',\n')}`;
    await pulling(
      async (pull, staging) => {
        const { columns, sourceRows } = await pull.load(compiledQuery(sql), 'staged', {});
        const texts = await stagedTexts(staging, 'staged', values.length);
        assert.equal(sourceRows, 1);
        assert.deepEqual(
          columns.map((column, index) => [values[index]?.[0], column.stagedType, texts[index]]),
          values,
        );
      },
      { timeZone: 'Europe/Berlin' },
    );
  });

  it('stages years BC', async () => {
    const sql = `SELECT * FROM (VALUES
      (timestamp '0044-03-15 12:00:00.5 BC', timestamptz '0044-03-15 12:00:00+01 BC', date '0044-03-15 BC'),
      ('-infinity', 'infinity', NULL), ('2024-01-01', '2024-01-01 00:00+00', '2024-01-01')) AS v (a, b, c)`;
    await pulling(async (pull, staging) => {
      await pull.load(compiledQuery(sql), 'staged', {});
      const rows = await staging.query(
        'SELECT c1::VARCHAR AS a, c2::VARCHAR AS b, c3::VARCHAR AS c FROM staged ORDER BY c1',
      );
      assert.deepEqual(rows, [
        { a: '-infinity', b: 'infinity', c: null },
        { a: '0044-03-15 (BC) 12:00:00.5', b: '0044-03-15 (BC) 11:00:00', c: '0044-03-15 (BC)' },
        { a: '2024-01-01 00:00:00', b: '2024-01-01 00:00:00', c: '2024-01-01' },
      ]);
    });
  });

  it('distinguishes NULLs from empty texts in a single column', async () => {
    await pulling(async (pull, staging) => {
      const query = compiledQuery(`SELECT v FROM (VALUES (NULL), (''), ('x'), (NULL)) AS v (v)`);
      const { sourceRows } = await pull.load(query, 'staged', {});
      const rows = await staging.query('SELECT c1, count(*) AS n FROM staged GROUP BY c1 ORDER BY c1 NULLS FIRST');
      assert.equal(sourceRows, 4);
      assert.deepEqual(
        rows.map((row) => [row['c1'], Number(row['n'])]),
        [
          [null, 2],
          ['', 1],
          ['x', 1],
        ],
      );
    });
  });

  it('stages a row of several megabytes, and an empty result', async () => {
    await pulling(async (pull, staging) => {
      await pull.load(compiledQuery(`SELECT repeat(E'x\\n', 3000000) AS long, 1 AS n`), 'long', {});
      await pull.load(compiledQuery('SELECT 1 AS a, now() AS b WHERE false'), 'none', {});
      const [row] = await staging.query('SELECT length(c1) AS n, (SELECT count(*) FROM none) AS none FROM long');
      assert.deepEqual([Number(row?.['n']), Number(row?.['none'])], [6_000_000, 0]);
    });
  });

  it('stages results larger than one temporary file', async () => {
    await pulling(async (pull, staging) => {
      const sql = `SELECT i, E'line\\nbreak "quoted" ' || repeat('x', 200) AS text FROM generate_series(1, 600000) AS i`;
      const { sourceRows } = await pull.load(compiledQuery(sql), 'staged', {});
      const [row] = await staging.query(
        'SELECT count(*) AS n, count(DISTINCT c1) AS ids, sum(length(c2)) AS length FROM staged',
      );
      assert.deepEqual([sourceRows, Number(row?.['n']), Number(row?.['ids'])], [600_000, 600_000, 600_000]);
      assert.equal(Number(row?.['length']), 600_000 * 220);
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
    });
  });

  it('stages rare values after many ordinary ones', async () => {
    await pulling(async (pull, staging) => {
      const rare = (value: string, type: string): string => `CASE WHEN i > 299990 THEN '${value}'::${type} END`;
      const sql = `SELECT i, coalesce(${rare('NaN', 'numeric(10,2)')}, 1.50)::numeric(10,2) AS n,
        coalesce(${rare('0044-03-15 BC', 'date')}, '2024-01-01') AS d, coalesce(${rare('0044-03-15 12:00:00 BC', 'timestamp')}, '2024-01-01') AS t,
        0.25::numeric(4,2) AS m, repeat('x', 50) AS text FROM generate_series(1, 300000) AS i`;
      const { columns, warnings } = await pull.load(compiledQuery(sql), 'staged', {});
      assert.deepEqual(
        columns.map(({ stagedType }) => stagedType),
        ['INTEGER', 'VARCHAR', 'DATE', 'TIMESTAMP', 'DECIMAL(4,2)', 'VARCHAR'],
      );
      assert.deepEqual(warnings, [
        'n has NaN, which decimals of DuckDB cannot hold: its numbers are texts in the graph.',
      ]);
      const { rows } = await staging.table(
        'SELECT c2, c3::VARCHAR, c4::VARCHAR, c5::VARCHAR, count(*)::INT FROM staged GROUP BY ALL ORDER BY c2',
      );
      assert.deepEqual(rows, [
        ['1.50', '2024-01-01', '2024-01-01 00:00:00', '0.25', 299_990],
        ['NaN', '0044-03-15 (BC)', '0044-03-15 (BC) 12:00:00', '0.25', 10],
      ]);
    });
  });

  it('drops the staging table when DuckDB cannot hold a value', async () => {
    await pulling(async (pull, staging) => {
      const query = compiledQuery(`SELECT 1 AS n, timestamp '294276-12-31 23:59:59' AS at`);
      await assert.rejects(pull.load(query, 'staged', {}), {
        name: 'SourceError',
        code: 'type-mismatch',
        message:
          'at has the value 294276-12-31 23:59:59, a timestamp without time zone that DuckDB cannot hold as TIMESTAMP.',
      });
      assert.deepEqual(await staging.query('SELECT table_name FROM duckdb_tables()'), []);
    });
  });

  it('reports rows while reading and the exact total at the end, and limits rows to the sample', async () => {
    await pulling(async (pull) => {
      const query = compiledQuery(`SELECT i, E'line\\nbreak "' || i AS text FROM generate_series(1, 25000) AS i`);
      const reports: number[] = [];
      await pull.load(query, 'whole', { onRows: (rows) => reports.push(rows) });
      assert.deepEqual(
        [reports.at(-1), reports.length > 1, reports.toSorted((a, b) => a - b)],
        [25_000, true, reports],
      );
      assert.equal((await pull.load(query, 'part', { sample: 7 })).sourceRows, 7);
    });
  });

  it('describes columns and types of a query without running it', async () => {
    await pulling(async (pull) => {
      const query = compiledQuery(
        `SELECT now() AS "at", 1.5::price AS "a.price", 'two words'::mood AS mood WHERE 1 / 0 = 1`,
      );
      const folded = compiledQuery(`SELECT pg_sleep(3600)::text AS slow, '' AS "weird "" name"`);
      assert.deepEqual(await pull.columnsOf(compiledQuery(query.sql.replace('WHERE 1 / 0 = 1', '')), {}), [
        {
          ...{ name: 'at', type: 'timestamp with time zone', sense: 'timestamp', zoned: true },
          ...{ stagedAs: 'c1', stagedType: 'TIMESTAMP' },
        },
        { name: 'a.price', type: 'numeric(8,2)', sense: 'number', stagedAs: 'c2', stagedType: 'DECIMAL(8,2)' },
        { name: 'mood', type: 'mood', sense: 'text', stagedAs: 'c3', stagedType: 'VARCHAR' },
      ]);
      assert.deepEqual(await pull.columnsOf(folded, {}), [
        { name: 'slow', type: 'text', sense: 'text', stagedAs: 'c1', stagedType: 'VARCHAR' },
        { name: 'weird " name', type: 'text', sense: 'text', stagedAs: 'c2', stagedType: 'VARCHAR' },
      ]);
    });
  });

  it('reads everything in one snapshot, and times without zone in the zone of the source', async () => {
    await server.query(database, 'CREATE TABLE snap AS SELECT 1 AS n');
    await pulling(
      async (pull, staging) => {
        await pull.columnsOf(compiledQuery('SELECT n FROM snap'), {});
        await server.query(database, 'INSERT INTO snap VALUES (2)');
        await pull.load(compiledQuery('SELECT count(*) AS n FROM snap'), 'counted', {});
        await pull.load(compiledQuery(`SELECT timestamp '2024-07-01 12:00'::timestamptz AS t, 0 AS n`), 'zoned', {});
        const [row] = await staging.query('SELECT c1::VARCHAR AS t, (SELECT c1 FROM counted)::VARCHAR AS n FROM zoned');
        assert.deepEqual(row, { t: '2024-07-01 10:00:00', n: '1' });
      },
      { timeZone: 'Europe/Berlin' },
    );
  });

  it('deletes its temporary files after success and failure', async () => {
    await pulling(async (pull, staging) => {
      await pull.load(compiledQuery('SELECT 1 AS a'), 'good', {});
      await assert.rejects(pull.load(compiledQuery('SELECT 1 / (3 - i) AS a FROM generate_series(1, 5) i'), 'bad', {}));
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
    });
  });

  it('cancels the statement on the server', async () => {
    await pulling(async (pull) => {
      const abort = new AbortController();
      const query = compiledQuery(`SELECT repeat('x', 100) AS x, generate_series(1, 100000000) AS i /* to cancel */`);
      const onRows = (): void => abort.abort(new Error('Cancelled by the test.'));
      await assert.rejects(pull.load(query, 'never', { signal: abort.signal, onRows }), /Cancelled by the test\./);
      await waitUntil('the server has ended the COPY', async () => {
        const active = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'COPY%to cancel%'`;
        return (await server.query(database, active)).length === 0 ? true : undefined;
      });
    });
  });

  const failing = (sql: string, options: PostgresqlSourceOptions = {}): Promise<SourceError> =>
    pulling(
      (pull) =>
        pull.load(compiledQuery(sql), 'staged', {}).then(
          () => assert.fail('must not succeed'),
          (error: unknown) => error as SourceError,
        ),
      options,
    );

  it('reports a source that fails during the pull', async () => {
    const error = await failing(
      `SELECT i, CASE WHEN i = 50000 THEN pg_terminate_backend(pg_backend_pid()) END FROM generate_series(1, 10000000) i`,
    );
    assert.equal(error.code, 'connection-lost');
    assert.match(
      error.message,
      new RegExp(`^PostgreSQL ended the connection: .* \\(postgres@127.0.0.1:${server.port}/${database}\\)$`),
    );
  });

  it('reports the statement timeout', async () => {
    const error = await failing('SELECT pg_sleep(60)::text AS a', { settings: { statementTimeout: '100ms' } });
    assert.deepEqual(
      [error.code, error.details.remedy],
      ['statement-timeout', 'Narrow the query, or raise statementTimeout of the data source.'],
    );
  });

  it('reports a full disk', async () => {
    const error = await pulling(async (pull, staging) => {
      // A device on which every write fails for lack of space.
      await makeDevice(join(staging.temporaryFolder, 'postgresql-1-1.csv'), 'full');
      return pull.load(compiledQuery('SELECT i FROM generate_series(1, 1000000) AS i'), 'staged', {}).then(
        () => assert.fail('must not succeed'),
        (error: unknown) => error as SourceError,
      );
    });
    assert.ok(isSourceError(error));
    assert.equal(error.code, 'disk-full');
    assert.match(
      error.message,
      /^The disk is full: the rows could not be written to the temporary file .*postgresql-1-1\.csv\.$/,
    );
  });

  it('shows the executed statements', async () => {
    const steps = await connector.steps(compiledQuery('SELECT 1.5::numeric(4,1) AS "a b", now() AS c -- end'), {
      kind: 'import',
    });
    assert.deepEqual(
      steps.map((step) => [step.role, step.text]),
      [
        [
          'setup',
          `SET default_transaction_read_only = on;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO, YMD';
SET IntervalStyle = 'postgres';
SET bytea_output = 'hex';
SET extra_float_digits = 1;
SET statement_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SELECT set_config('search_path', '"public", ' || current_setting('search_path'), false);`,
        ],
        ['setup', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;'],
        ['core', 'SELECT 1.5::numeric(4,1) AS "a b", now() AS c -- end'],
        ['setup', 'CREATE TABLE "staged" (c1 DECIMAL(4,1), c2 TIMESTAMP)'],
        [
          'wrap',
          `COPY (SELECT c1, c2 AT TIME ZONE 'UTC' FROM (
SELECT 1.5::numeric(4,1) AS "a b", now() AS c -- end
) AS q (c1, c2)) TO STDOUT (FORMAT csv)`,
        ],
        [
          'wrap',
          `INSERT INTO "staged" SELECT c1, c2 FROM read_csv('<temporary file>', auto_detect = false, header = false, delim = ',', quote = '"', escape = '"', new_line = '\\n', nullstr = '', allow_quoted_nulls = false, columns = {'c1': 'DECIMAL(4,1)', 'c2': 'TIMESTAMP'})`,
        ],
      ],
    );
  });
});
