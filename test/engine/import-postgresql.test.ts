import assert from 'node:assert/strict';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';

const elements = `  - activityName: A
    dataObject: orders
    startTimestamp: at
    properties: [note]
`;

describe('PostgreSQL import', () => {
  let server: TestPostgres;
  before(async () => (server = await sharedPostgres()));

  const withTable = async (
    sql: string,
    graph: string,
    use: (project: Parameters<Parameters<typeof withProject>[1]>[0], database: string) => Promise<void>,
    settings = '',
  ): Promise<void> => {
    const database = await server.createDatabase();
    await server.query(database, sql);
    const files = { 'entity-sources.yaml': postgresqlSources(server, database, settings), 'graph.entity.yaml': graph };
    await withProject(files, async (project) => {
      await use({ ...project, import: (options) => project.import(options) }, database);
    });
  };

  it('uses the primary key, with the same canonical key texts as files', async () => {
    const sql = `CREATE TABLE orders (n numeric(6,2), d date, t timestamptz, at timestamp, note text, PRIMARY KEY (n, d, t));
      INSERT INTO orders VALUES (1.50, '2024-01-02', '2024-01-01 01:00:00+01', '2024-01-01', NULL)`;
    await withTable(sql, graphText(elements), async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(await project.rows('SELECT key FROM entity'), [
        ['["1.5","2024-01-02","2024-01-01T00:00:00.000000Z"]'],
      ]);
    });
  });

  it('produces the same graph regardless of the row order of the table', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `(${i % 3}, '2024-01-0${1 + (i % 2)}', 'note ${i % 7}')`);
    const everything = `SELECT e.id::INT, key, activity, strftime(time, '%d'), note FROM event e JOIN entity ON entity.id = entity_id
      JOIN properties_1 ON event_id = e.id ORDER BY e.id`;
    const outputs: unknown[] = [];
    for (const list of [rows, rows.toReversed()]) {
      const sql = `CREATE TABLE orders (id int, at date, note text); INSERT INTO orders VALUES ${list.join(', ')}`;
      await withTable(
        sql,
        graphText(elements.replace('    startTimestamp', '    key: id\n    startTimestamp')),
        async (project) => {
          const summary = await project.import();
          assert.equal(summary.totals.events, 60, summary.error?.message);
          outputs.push(await project.rows(everything));
        },
      );
    }
    assert.deepEqual(outputs[0], outputs[1]);
  });

  it('treats infinity as missing with a warning, and reports joins that multiply rows with their factor', async () => {
    const sql = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text);
      INSERT INTO orders VALUES (1, 'infinity', 'x'), (2, '2024-01-01', 'y');
      CREATE TABLE lines (order_id int); INSERT INTO lines VALUES (1), (2), (2), (2)`;
    const joined = elements.replace(
      '    properties',
      '    key: note\n    joins: JOIN lines AS l ON l.order_id = orders.id\n    properties',
    );
    await withTable(sql, graphText(joined), async (project) => {
      const { warnings, elements: counts } = await project.import();
      assert.deepEqual(warnings, [
        'The joins of "A" make 3 rows with a time of 2 (× 1.5): each of them is an event.',
        '1 timestamps of "A" are infinite and count as missing.',
      ]);
      assert.deepEqual(counts[0], {
        activityName: 'A',
        rows: 4,
        events: 3,
        entities: 2,
        rowsWithoutStart: 1,
        rowsWithoutKey: 0,
      });
    });
  });

  it("reads times without zone in the source's time zone, times with zone unchanged", async () => {
    const sql = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, changed timestamptz, note text);
      INSERT INTO orders VALUES (1, '2024-07-01 12:00', '2024-07-01 12:00+00', 'x')`;
    const graph = graphText(elements.replace('    properties', '    changeTimestamp: changed\n    properties'));
    await withTable(
      sql,
      graph,
      async (project) => {
        await project.import();
        assert.deepEqual(await project.rows(`SELECT lifecycle, strftime(time, '%H:%M') FROM event ORDER BY id`), [
          ['start', '10:00'],
          ['change', '12:00'],
        ]);
      },
      ', timeZone: Europe/Berlin',
    );
  });

  it('keeps the previous graph when the source fails during a pull', async () => {
    const sql = `CREATE TABLE orders (id int PRIMARY KEY, at timestamp, note text);
      INSERT INTO orders SELECT i, timestamp '2024-01-01' + i * interval '1 minute', repeat('x', 100) FROM generate_series(1, 300000) AS i`;
    await withTable(sql, graphText(elements), async (project, database) => {
      const good = await project.import();
      assert.equal(good.status, 'imported', good.error?.message);
      let killed: Promise<unknown> | undefined;
      const failed = await project.import({
        request: { kind: 'build', isFull: true },
        onProgress: ({ step }) => {
          if (step !== 'data pull' || killed) return;
          const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND state <> 'idle' AND query LIKE 'COPY%'`;
          killed = (async () => {
            for (let found = 0; found === 0;) found = (await server.query('postgres', others)).length;
          })();
        },
      });
      await killed;
      assert.equal(failed.status, 'failed');
      assert.equal(failed.error?.code, 'connection-lost', failed.error?.message);
      assert.equal(failed.failedStep, 'data pull');
      assert.deepEqual(await project.rows('SELECT count(*)::INT FROM event'), [[300000]]);
    });
  });
});
