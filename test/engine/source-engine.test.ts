import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import pg from 'pg';
import type { ImportPlanView } from '../../protocol/import-plan.ts';
import { runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { loadCsv } from '../support/load-csv.ts';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { csvSources, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import {
  customers,
  laterRuleGraphs,
  lines,
  linkedGraphs,
  orders,
  places,
  randomGraph,
  ruleGraphs,
  shop,
} from '../support/shop-graphs.ts';
import { countSoak, soakAssert, soakList } from '../support/soak.ts';
import { waitUntil } from '../support/wait-until.ts';
import { type TestPostgres, sharedPostgres, startPostgres } from '../support/postgres.ts';
import { projectFolder } from '../support/vscode-host.ts';

/** Orders in hash partitions, each a table of another server. */
function spreadTables(shards: readonly TestPostgres[]): string {
  const partitions = shards.map(
    ({ host, port, user, password }, index) => `
    CREATE SERVER shard_${index} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '${host}', port '${port}', dbname 'postgres');
    CREATE USER MAPPING FOR postgres SERVER shard_${index} OPTIONS (user '${user}', password '${password}');
    CREATE FOREIGN TABLE orders_${index} PARTITION OF orders FOR VALUES WITH (MODULUS ${shards.length}, REMAINDER ${index}) SERVER shard_${index}`,
  );
  return `CREATE EXTENSION postgres_fdw;
    CREATE TABLE orders (id int, customer text, at timestamptz, amount numeric(10,2)) PARTITION BY HASH (id);${partitions.join(';')}`;
}

describe('engine: source', () => {
  let server: TestPostgres;
  let database = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, shop);
  });

  for (const [what, graph] of Object.entries({ ...ruleGraphs, ...laterRuleGraphs, ...linkedGraphs })) {
    it(`builds the same graph as the embedded engine, and fetch copies it: ${what}`, async () => {
      await compareEngines(server, database, graph, '', true);
    });
  }

  it('reads times without zone in the zone of the source, as the embedded engine does', async () => {
    for (const elements of [orders, orders + lines + customers]) {
      await compareEngines(server, database, graphText(elements), ', timeZone: Europe/Berlin');
    }
  });

  it('builds the same graph as the embedded engine: random graphs without custom SQL', async function () {
    this.timeout(600_000);
    await soakAssert(
      fc.asyncProperty(randomGraph, async (graph) => {
        await compareEngines(server, database, graph);
      }),
      2,
    );
  });

  it('builds from tables partitioned over two other servers', async function () {
    this.timeout(600_000);
    const [one, two] = await Promise.all([startPostgres(), startPostgres()]);
    try {
      const coordinator = await server.createDatabase();
      await server.query(coordinator, spreadTables([one, two]));
      for (const [index, shard] of [one, two].entries()) {
        await shard.query(
          'postgres',
          `CREATE TABLE orders_${index} (id int, customer text, at timestamptz, amount numeric(10,2), PRIMARY KEY (id))`,
        );
      }
      await server.query(
        coordinator,
        `INSERT INTO orders SELECT i, 'c' || i % 50, timestamptz '2024-01-01 00:00Z' + (i % 700) * interval '1 hour', i / 3.0 FROM generate_series(1, 5000) AS i;
         CREATE TABLE customers (id text PRIMARY KEY, since date); INSERT INTO customers SELECT 'c' || i, date '2023-01-01' + i FROM generate_series(0, 49) AS i`,
      );
      const perShard = [
        await one.query('postgres', 'SELECT count(*) FROM orders_0'),
        await two.query('postgres', 'SELECT count(*) FROM orders_1'),
      ];
      assert.ok(
        perShard.every(([row]) => Number(row?.['count']) > 1000),
        JSON.stringify(perShard),
      );
      const { source } = await compareEngines(
        server,
        coordinator,
        graphText(
          '  - { activityName: Win, dataObject: customers, startTimestamp: since }\n  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at, properties: all }\n',
          places,
        ),
      );
      assert.deepEqual([source.totals.events, source.totals.relations], [5050, 5000]);
    } finally {
      await Promise.all([one.stop(), two.stop()]);
    }
  });

  it('builds the same graph as the embedded engine: northwind sample', async () => {
    const sample = await server.createDatabase();
    await server.loadSqlFile(sample, join(projectFolder, 'samples/northwind/northwind.sql'));
    const text = await readFile(join(projectFolder, 'samples/northwind/northwind.entity.yaml'), 'utf8');
    const { source } = await compareEngines(server, sample, text.replace(/^dataSource: .*$/m, 'dataSource: shop'));
    assert.ok(source.totals.events > 1000);
  });

  it('builds the same graph as the embedded engine: incidents sample in a table', async () => {
    const sample = await server.createDatabase();
    const folder = join(projectFolder, 'samples/incidents');
    const reading = { nullValue: '?', timestampFormat: '%d-%m-%Y %H:%M' };
    await loadCsv(server, sample, 'incident_event_log', join(folder, 'data/incident_event_log.csv'), reading);
    // Whole incidents: more of them have no other kinds of values.
    await server.query(
      sample,
      `DELETE FROM incident_event_log WHERE number NOT IN (SELECT DISTINCT number FROM incident_event_log ORDER BY number LIMIT 200);
       CREATE INDEX ON incident_event_log (number); ANALYZE incident_event_log`,
    );
    const text = await readFile(join(folder, 'incidents.entity.yaml'), 'utf8');
    const { source } = await compareEngines(server, sample, text.replace(/^dataSource: .*$/m, 'dataSource: shop'));
    assert.ok(source.totals.events > 1000);
  });

  const files = (graph: string, settings = ''): Record<string, string> => ({
    'entity-sources.yaml': postgresqlSources(server, database, settings),
    'graph.entity.yaml': `${graph}${settings === '' ? sourceSettings : ''}`,
  });
  const schemas = async (): Promise<readonly unknown[]> =>
    (await server.query(database, "SELECT nspname FROM pg_namespace WHERE nspname LIKE '%ekg%' ORDER BY 1")).map(
      ({ nspname }) => nspname,
    );

  it('publishes a graph atomically, keeps the previous one, and leaves nothing after failure or cancellation', async () => {
    await server.query(database, 'DROP SCHEMA IF EXISTS ekg CASCADE; DROP SCHEMA IF EXISTS ekg__previous CASCADE');
    await withProject(files(graphText(customers + orders, places)), async (project) => {
      const first = await project.import();
      assert.deepEqual([first.status, first.schema, first.store], ['imported', 'ekg', undefined], first.error?.message);
      assert.deepEqual(await schemas(), ['ekg']);
      const [run] = await server.query(
        database,
        "SELECT id, entity, counts->'totals'->>'events' AS events FROM ekg.run",
      );
      assert.equal(run?.['events'], String(first.totals.events));
      await project.write({ 'graph.entity.yaml': `${graphText(customers)}${sourceSettings}` });
      const second = await project.import();
      assert.equal(second.status, 'imported', second.error?.message);
      assert.deepEqual(await schemas(), ['ekg', 'ekg__previous']);
      assert.deepEqual(await server.query(database, 'SELECT id FROM ekg__previous.run'), [{ id: run?.['id'] }]);
      const before = await server.query(database, 'SELECT id FROM ekg.run');
      await project.write({
        'graph.entity.yaml': `${graphText(customers.replace('properties: all', 'properties: all, where: 1 / (length(id) - 1) > 0'))}${sourceSettings}`,
      });
      const failed = await project.import();
      assert.deepEqual([failed.status, failed.error?.code], ['failed', 'sql-error'], failed.error?.message);
      await project.write({ 'graph.entity.yaml': `${graphText(customers)}${sourceSettings}` });
      for (const at of ['data pull', 'graph build', 'post-load checks']) {
        const abort = new AbortController();
        const cancelled = await project.import({
          signal: abort.signal,
          onProgress: ({ step }) => step === at && abort.abort(),
        });
        assert.equal(cancelled.status, 'cancelled', at);
      }
      assert.deepEqual(await server.query(database, 'SELECT id FROM ekg.run'), before);
      assert.deepEqual(await schemas(), ['ekg', 'ekg__previous']);
      assert.equal((await project.import()).status, 'imported');
    });
  });

  it('builds in a schema whose name has quotes and dollar signs, and replaces the graph there', async () => {
    const text = `${graphText(customers)}import: { engine: source, schema: 'ekg $$ "one"' }\n`;
    await withProject({ ...files(''), 'graph.entity.yaml': text }, async (project) => {
      for (let run = 0; run < 2; run += 1) {
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
      }
      const found = (await schemas()).filter((name) => String(name).includes('$'));
      assert.deepEqual(found, ['ekg $$ "one"', 'ekg $$ "one"__previous']);
    });
  });

  it('Show Query lists every statement, and creates nothing', async () => {
    await withProject(
      {
        ...files(''),
        'graph.entity.yaml': `${graphText(customers + orders, places)}import: { engine: source, schema: planned }\n`,
      },
      async ({ folder }) => {
        const run = await runCommand(['plan', 'graph.entity.yaml', '--workspace', folder, '--format', 'json'], folder);
        assert.equal(run.code, 0, run.stderr);
        const plan = JSON.parse(run.stdout) as ImportPlanView;
        assert.equal(plan.engine, 'source');
        const textOf = (name: string): string =>
          plan.steps
            .find((step) => step.name === name)
            ?.parts.map(({ text }) => text)
            .join('\n') ?? '';
        assert.match(textOf('element_1'), /^CREATE TEMP TABLE "element_1" ON COMMIT DROP AS/);
        assert.match(textOf('event'), /^CREATE TABLE "planned__building"\.event AS/);
        assert.match(textOf('publish'), /ALTER SCHEMA "planned__building" RENAME TO "planned"\nCOMMIT$/);
        assert.deepEqual(
          await server.query(database, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'planned%'"),
          [],
        );
      },
    );
  });

  it('a killed import keeps the previous graph, and leaves no temporary schema and no lock', async function () {
    this.timeout(600_000);
    const large = await server.createDatabase();
    await server.query(
      large,
      `${shop.split('INSERT INTO orders')[0]}
      INSERT INTO orders SELECT i, 1, 'ä', timestamptz '2024-01-01' + i * interval '1 minute', NULL, i, 'a', 'New', 1, true, NULL FROM generate_series(1, 200000) AS i`,
    );
    const own = {
      ...files(''),
      'entity-sources.yaml': postgresqlSources(server, large),
      'graph.entity.yaml': `${graphText(orders)}${sourceSettings}`,
    };
    await withProject(own, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      const before = await server.query(large, 'SELECT id FROM ekg.run');
      // While the graph is built there is most to be left behind.
      for (const at of soakList(['data pull', 'graph build', 'post-load checks'], ['graph build'])) {
        const killed = await runCli(
          ['import', 'graph.entity.yaml', '--format', 'json', '--workspace', project.folder],
          {
            cwd: project.folder,
            env: { ENTITY_GRAPH_SECRET_SHOP: server.password },
            onOutput: (text, stop) => text.includes(`"step":"${at}"`) && stop('SIGKILL'),
          },
        );
        assert.equal(killed.code, null, at);
        const left = await server.query(large, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ekg%' ORDER BY 1");
        assert.deepEqual(
          left.map(({ nspname }) => nspname),
          ['ekg'],
          at,
        );
        assert.deepEqual(await server.query(large, 'SELECT id FROM ekg.run'), before, at);
        countSoak();
      }
      await waitUntil(
        'the server has noticed',
        async () => ((await project.import()).status === 'imported' ? true : undefined),
        30_000,
      );
    });
  });

  it('the second of two imports into one schema is refused', async () => {
    const first = new pg.Client({ connectionString: server.url(database) });
    await first.connect();
    try {
      await first.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('entity-graph ekg', 0))");
      await withProject(files(graphText(customers)), async (project) => {
        const refused = await project.import();
        assert.equal(refused.status, 'failed');
        assert.match(refused.error?.message ?? '', /The schema ekg is being built by another import/);
        assert.match(refused.error?.remedy ?? '', /Wait/);
        await first.query('COMMIT');
        assert.equal((await project.import()).status, 'imported');
      });
    } finally {
      await first.end();
    }
  });

  const faults: readonly (readonly [what: string, settings: string, where: string, code: RegExp, cuts: boolean])[] = [
    ['the connection is cut', '', 'id IS NOT NULL', /source-unreachable|connection-lost|source-failed/, true],
    ['a statement takes too long', ', statementTimeout: 200ms', 'pg_sleep(5) IS NOT NULL', /timeout/, false],
  ];
  for (const [what, settings, where, code, cuts] of faults) {
    it(`keeps the previous graph when ${what}`, async () => {
      await withProject(files(graphText(customers + orders, places)), async (project) => {
        // The second import keeps the first graph beside it.
        for (let count = 0; count < 2; count += 1) assert.equal((await project.import()).status, 'imported');
        const before = await server.query(database, 'SELECT id FROM ekg.run');
        await project.write({
          'entity-sources.yaml': postgresqlSources(server, database, settings),
          'graph.entity.yaml': `${graphText(customers.replace('properties: all', `properties: all, where: ${where}`))}${sourceSettings}`,
        });
        // A reader of the previous graph keeps it from being dropped: the import cannot end before the connection is
        // cut.
        const reader = new pg.Client({ connectionString: server.url(database) });
        await reader.connect();
        if (cuts) await reader.query('BEGIN; LOCK TABLE ekg__previous.run IN ACCESS SHARE MODE');
        let cut: Promise<unknown> | undefined;
        const failed = await project.import({
          onProgress: ({ step }) => {
            if (!cuts || step !== 'graph build') return;
            cut ??= reader.query(
              `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}' AND pid <> pg_backend_pid()`,
            );
          },
        });
        await cut;
        await reader.end();
        assert.equal(failed.status, 'failed');
        assert.match(failed.error?.code ?? '', code, failed.error?.message);
        assert.deepEqual(await server.query(database, 'SELECT id FROM ekg.run'), before);
        assert.equal((await schemas()).includes('ekg__building'), false);
        await project.write(files(`${graphText(customers)}`));
        assert.equal((await project.import()).status, 'imported');
      });
    });
  }

  it('replaces no graph of another file, except after a rename', async () => {
    const own = await server.createDatabase();
    await server.query(own, shop);
    const start = {
      'entity-sources.yaml': postgresqlSources(server, own),
      'graph.entity.yaml': `${graphText(customers)}${sourceSettings}`,
    };
    await withProject(start, async (project) => {
      assert.equal((await project.import()).status, 'imported');
      const before = await server.query(own, 'SELECT id, entity FROM ekg.run');
      await withProject(start, async (other) => {
        await server.query(own, "UPDATE ekg.run SET entity = 'theirs'");
        const refused = await other.import();
        assert.deepEqual([refused.status, refused.error?.code], ['failed', 'source-config']);
        assert.match(refused.error?.message ?? '', /The schema ekg holds the graph of another file: theirs\./);
      });
      assert.deepEqual(await server.query(own, 'SELECT id FROM ekg.run'), [{ id: before[0]?.['id'] }]);
      // The file that created it may drop it under any name.
      assert.equal((await project.import()).status, 'imported');
    });
  });

  it('replaces no foreign schema, and refuses a missing or impossible name of a schema', async () => {
    await server.query(
      database,
      'CREATE SCHEMA theirs; CREATE TABLE theirs.event (id int); CREATE SCHEMA kept__previous; CREATE TABLE kept__previous.t ()',
    );
    const cases: readonly (readonly [settings: string, code: string, message: RegExp])[] = [
      ['import: { engine: source, schema: theirs }\n', 'source-config', /theirs is there already/],
      ['import: { engine: source, schema: kept }\n', 'source-config', /kept__previous is there already/],
      ['import: { engine: source }\n', 'schema-missing', /needs to know the schema/],
      ['import: { engine: source, schema: pg_mine }\n', 'schema-missing', /cannot be the name/],
      [`import: { engine: source, schema: ${'x'.repeat(51)} }\n`, 'schema-missing', /cannot be the name/],
    ];
    for (const [settings, code, message] of cases) {
      await withProject(
        { ...files(''), 'graph.entity.yaml': `${graphText(customers)}${settings}` },
        async (project) => {
          const refused = await project.import();
          assert.deepEqual([refused.status, refused.error?.code], ['failed', code], refused.error?.message);
          assert.match(refused.error?.message ?? '', message);
        },
      );
    }
    const csv = { 'entity-sources.yaml': csvSources(), 'customers.csv': 'id,since\n1,2024-01-01\n' };
    await withProject(
      {
        ...csv,
        'graph.entity.yaml': `${graphText(customers.replace('startTimestamp', 'key: id, startTimestamp'))}${sourceSettings}`,
      },
      async (project) => {
        const refused = await project.import();
        assert.deepEqual(
          [refused.status, refused.error?.code],
          ['failed', 'engine-unsupported'],
          refused.error?.message,
        );
      },
    );
  });

  it('is refused in a database with Citus, which engine: embedded reads completely every time', async () => {
    const own = await server.createDatabase();
    await server.query(
      own,
      `${shop}; INSERT INTO pg_catalog.pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
        VALUES (1, 'citus', 10, 'pg_catalog'::regnamespace, false, '1')`,
    );
    const sources = { 'entity-sources.yaml': postgresqlSources(server, own) };
    await withProject({ ...sources, 'graph.entity.yaml': graphText(orders) }, async (project) => {
      for (let run = 0; run < 2; run += 1) {
        const { status, steps } = await project.import();
        assert.equal(status, 'imported');
        assert.ok(steps?.every(({ isUnchanged }) => isUnchanged !== true));
      }
      await project.write({ 'graph.entity.yaml': `${graphText(orders)}${sourceSettings}` });
      const { error } = await project.import();
      assert.equal(error?.code, 'source-config');
      assert.match(String(error?.message), /engine: source builds no graphs in a database with Citus/);
      assert.match(String(error?.remedy), /engine: embedded/);
      assert.deepEqual(await server.query(own, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ekg%'"), []);
    });
  });

  it('requires the CREATE SCHEMA privilege, and says so', async () => {
    await server.query(
      database,
      `CREATE ROLE ${database}_reader LOGIN PASSWORD 'reader'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${database}_reader`,
    );
    const reader = { ...server, user: `${database}_reader`, password: 'reader' };
    const own = {
      'entity-sources.yaml': postgresqlSources(reader, database),
      'graph.entity.yaml': `${graphText(customers)}import: { engine: source, schema: readers }\n`,
    };
    await withProject(own, async (project) => {
      const refused = await project.import();
      assert.deepEqual([refused.status, refused.error?.code], ['failed', 'permission-denied'], refused.error?.message);
      assert.match(refused.error?.remedy ?? '', /GRANT CREATE ON DATABASE/);
    });
  });
});
