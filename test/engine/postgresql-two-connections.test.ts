import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import type { Connector } from '../../server/src/connectors/connector.ts';
import type { BuildDatabase } from '../../server/src/store/duckdb-store.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { postgresqlConnector, tableQuery } from '../support/postgresql-source.ts';
import { waitUntil } from '../support/wait-until.ts';

/** docs/semantics/imports.md: tables over 64 MiB are read over two connections. */
describe('PostgreSQL pull over two connections', () => {
  let server: TestPostgres;
  let database: string;
  const rows = 80_000;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE large AS SELECT i AS id, repeat(md5(i::text), 28) AS text FROM generate_series(1, ${rows}) AS i;
       CREATE TABLE small AS SELECT * FROM large LIMIT 1000;
       CREATE VIEW seen AS SELECT * FROM large;
       CREATE TABLE parts (LIKE large) PARTITION BY RANGE (id);
       CREATE TABLE part PARTITION OF parts FOR VALUES FROM (0) TO (1000000);
       INSERT INTO part SELECT * FROM large`,
    );
    await server.query(
      database,
      `CREATE EXTENSION postgres_fdw;
       CREATE SERVER itself FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${server.host}', port '${server.port}', dbname '${database}');
       CREATE USER MAPPING FOR ${server.user} SERVER itself OPTIONS (user '${server.user}', password '${server.password}');
       CREATE FOREIGN TABLE far (id int, text text) SERVER itself OPTIONS (table_name 'large')`,
    );
    await server.query(database, 'VACUUM ANALYZE large');
    await server.query(database, 'ANALYZE');
  });

  type Pull = Awaited<ReturnType<Connector['openPull']>>;

  const pulling = async (
    use: (pull: Pull, staging: BuildDatabase) => Promise<void>,
    settings: Readonly<Record<string, unknown>> = {},
  ): Promise<void> => {
    const source = await postgresqlConnector(server, database, { settings });
    await withBuildDatabase(async (staging) => {
      const pull = await source.openPull(staging, {});
      try {
        await use(pull, staging);
      } finally {
        await pull.close();
      }
    });
  };

  const sessions = async (state = ''): Promise<number> => {
    const found = await server.query(
      database,
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'entity-graph' ${state}`,
    );
    return found.length;
  };

  const idsOf = async (staging: BuildDatabase): Promise<readonly unknown[]> => {
    const [row] = await staging.query(
      'SELECT count(*)::INT AS n, count(DISTINCT c1)::INT AS ids, min(c1)::INT AS first, max(c1)::INT AS last FROM staged',
    );
    return Object.values(row ?? {});
  };

  const large = (where?: string) => tableQuery(['public', 'large'], ['id', 'text'], where);

  it('each row of a large table once, as one snapshot has it, with the filter of the user', async () => {
    await pulling(async (pull, staging) => {
      // The snapshot is taken by the first query.
      await pull.columnsOf(large(), {});
      // Seen by neither connection, although the second one opens afterwards.
      await server.query(database, "INSERT INTO large SELECT 0, 'later'; DELETE FROM large WHERE id = 80000");
      try {
        const counts: number[] = [];
        const { sourceRows } = await pull.load(large(), 'staged', { onRows: (count) => counts.push(count) });
        assert.equal(await sessions(), 2);
        assert.deepEqual([sourceRows, counts.at(-1), counts], [rows, rows, counts.toSorted((a, b) => a - b)]);
        assert.deepEqual(await idsOf(staging), [rows, rows, 1, rows]);
        await staging.run('DROP TABLE staged');
        // Brackets of a filter do not end those around it.
        await pull.load(large('id <= 100) OR (id > 79900'), 'staged', {});
        assert.deepEqual(await idsOf(staging), [200, 200, 1, rows]);
      } finally {
        await server.query(database, "DELETE FROM large WHERE id = 0; INSERT INTO large SELECT 80000, 'again'");
      }
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
    });
    assert.equal(await sessions(), 0);
  });

  const single: readonly (readonly [string, () => ReturnType<typeof tableQuery>, Readonly<Record<string, unknown>>])[] =
    [
      ['connections: 1', large, { pull: { connections: 1 } }],
      ['a table up to 64 MiB', () => tableQuery(['public', 'small'], ['id', 'text']), {}],
      ['a view', () => tableQuery(['public', 'seen'], ['id', 'text']), {}],
      ['a foreign table', () => tableQuery(['public', 'far'], ['id', 'text']), {}],
      ['a partitioned table', () => tableQuery(['public', 'parts'], ['id', 'text']), {}],
      ['a filter that reads another table', () => large('id IN (SELECT id FROM small)'), {}],
      ['a filter by the place of rows', () => large("large.ctid > '(0,0)'"), {}],
    ];
  for (const [what, query, settings] of single) {
    it(`one connection for ${what}`, async () => {
      await pulling(async (pull, staging) => {
        const { sourceRows } = await pull.load(query(), 'staged', {});
        assert.deepEqual(await idsOf(staging), [sourceRows, sourceRows, 1, sourceRows]);
        assert.ok(sourceRows >= 1000);
        assert.equal(await sessions(), 1);
      }, settings);
    });
  }

  it('one connection for a sample', async () => {
    await pulling(async (pull) => {
      assert.equal((await pull.load(large(), 'staged', { sample: 7 })).sourceRows, 7);
      assert.equal(await sessions(), 1);
    });
  });

  it('one connection, with a note, for a role that may have only one', async () => {
    await server.query(
      database,
      `CREATE ROLE "only one" LOGIN PASSWORD 'one' CONNECTION LIMIT 1; GRANT SELECT ON large TO "only one"`,
    );
    try {
      await pulling(
        async (pull, staging) => {
          const notes: string[] = [];
          await pull.load(large(), 'staged', { onProgress: (note) => notes.push(note) });
          assert.deepEqual(await idsOf(staging), [rows, rows, 1, rows]);
          assert.equal(notes.length, 1);
          assert.match(
            notes[0] ?? '',
            /^read over one connection, as a second one failed: .*too many connections for role/,
          );
        },
        { user: 'only one', password: 'one' },
      );
    } finally {
      await server.query(database, 'REVOKE ALL ON large FROM "only one"; DROP ROLE "only one"');
    }
  });

  it('a failure of one half ends the other, and leaves nothing', async () => {
    await pulling(async (pull, staging) => {
      const failing = large('1 / (id - 79000) IS NOT NULL');
      await assert.rejects(pull.load(failing, 'staged', {}), { name: 'SourceError', message: /division by zero/ });
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
      assert.deepEqual(await staging.query('SELECT table_name FROM duckdb_tables()'), []);
      await waitUntil('no COPY runs', async () => ((await sessions("AND state = 'active'")) === 0 ? true : undefined));
    });
  });

  it('a cancel ends both', async () => {
    await pulling(async (pull, staging) => {
      const abort = new AbortController();
      const slow = large('pg_sleep(0.001) IS NOT NULL');
      const loading = pull.load(slow, 'never', { signal: abort.signal });
      loading.catch(() => undefined);
      const copies = "AND state = 'active' AND query LIKE 'COPY%'";
      await waitUntil('both copy', async () => ((await sessions(copies)) === 2 ? true : undefined));
      abort.abort(new Error('Cancelled by the test.'));
      await assert.rejects(loading, /Cancelled by the test\./);
      await waitUntil('none copies', async () => ((await sessions(copies)) === 0 ? true : undefined));
      assert.deepEqual(await readdir(staging.temporaryFolder), []);
    });
  });

  for (const [what, sql] of [
    ['a change of the table', 'ALTER TABLE large ADD COLUMN later int'],
    ['a new index', 'DROP INDEX large_ids'],
  ] as const) {
    it(`one connection, with a note, while ${what} waits for the end of the import`, async () => {
      await server.query(database, 'CREATE INDEX large_ids ON large (id)');
      let changing: Promise<unknown> | undefined;
      try {
        await pulling(async (pull, staging) => {
          await pull.columnsOf(large(), {});
          // It waits for the first connection, and a second one would wait for it.
          changing = server.query(database, sql);
          changing.catch(() => undefined);
          await waitUntil('the change waits', async () => {
            const waiting = await server.query(
              database,
              "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
            );
            return waiting.length > 0 || undefined;
          });
          const notes: string[] = [];
          await pull.load(large(), 'staged', { onProgress: (note) => notes.push(note) });
          assert.deepEqual(await idsOf(staging), [rows, rows, 1, rows]);
          assert.equal(notes.length, 1);
          assert.match(notes[0] ?? '', /^read over one connection, as .*lock/);
        });
        await changing;
      } finally {
        await changing?.catch(() => undefined);
        await server.query(database, 'ALTER TABLE large DROP COLUMN IF EXISTS later; DROP INDEX IF EXISTS large_ids');
      }
    });
  }

  it('a note is of the table that it tells about', async () => {
    await server.query(database, 'CREATE ROLE "one only" LOGIN PASSWORD \'one\' CONNECTION LIMIT 1');
    await server.query(database, 'GRANT SELECT ON large, small TO "one only"');
    try {
      await pulling(
        async (pull) => {
          const notes: string[] = [];
          const onProgress = (note: string): void => void notes.push(note);
          await pull.load(large(), 'first', { onProgress });
          await pull.load(tableQuery(['public', 'small'], ['id', 'text']), 'second', { onProgress });
          assert.equal(notes.length, 1);
        },
        { user: 'one only', password: 'one' },
      );
    } finally {
      await server.query(database, 'REVOKE ALL ON large, small FROM "one only"; DROP ROLE "one only"');
    }
  });

  it('Show Query has the statements of both', async () => {
    const source = await postgresqlConnector(server, database);
    const steps = await source.steps(large('id > 1'), { kind: 'import' });
    const found = steps.filter(({ title }) => /connection/.test(title)).map(({ title, text }) => [title, text]);
    const executed = (number: number, condition: string): readonly string[] => [
      `Executed over connection ${number}: the core query as a stream, with casts to types that DuckDB can stage`,
      `COPY (SELECT c1, c2 FROM (\nSELECT\n  "large"."id" AS "id",\n  "large"."text" AS "text"\nFROM "public"."large" AS "large"\nWHERE "large".ctid ${condition}::tid AND ((\nid > 1\n))\n) AS q (c1, c2)) TO STDOUT (FORMAT csv)`,
    ];
    const middle = /'\((\d+),0\)'/.exec(found[1]?.[1] ?? '')?.[1] ?? '';
    assert.ok(Number(middle) > 4_096, middle);
    assert.deepEqual(found, [
      [
        'Second connection, once, after its session: the same snapshot',
        "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET TRANSACTION SNAPSHOT '…'; SET LOCAL lock_timeout = 1000",
      ],
      executed(1, `< '(${middle},0)'`),
      executed(2, `>= '(${middle},0)'`),
    ]);
    const single = await postgresqlConnector(server, database, { settings: { pull: { connections: 1 } } });
    assert.ok((await single.steps(large(), { kind: 'import' })).every(({ title }) => !/connection/.test(title)));
  });

  it('refuses other numbers', async () => {
    await assert.rejects(postgresqlConnector(server, database, { settings: { pull: { connections: 3 } } }), {
      code: 'source-config',
      message: /pull\.connections must be 1 or 2/,
    });
  });
});
