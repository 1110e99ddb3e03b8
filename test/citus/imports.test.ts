import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GraphDiff } from '../../protocol/graph-diff.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { relationsInSource } from '../../server/src/graph-schema/table-names.ts';
import { createTest } from '../../server/src/operations/graph-tests/create-test.ts';
import { readTestRows } from '../../server/src/operations/graph-tests/read-test-rows.ts';
import { runGraphTests } from '../../server/src/operations/graph-tests/run-graph-tests.ts';
import { toOutcome } from '../../server/src/operations/operation-error.ts';
import { type ProjectContext, readGraphFile } from '../../server/src/project/open-project.ts';
import { type TestCitus, sharedCitus } from '../support/citus-cluster.ts';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import type { PostgresAccess } from '../support/postgres.ts';
import { runCli } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { customers, distributeShop, orders, places, shop } from '../support/shop-graphs.ts';
import { waitUntil } from '../support/wait-until.ts';

/** Two elements, an entry of `entities` with values over time, and relations. */
const graph = `${graphText(customers + orders, places)}entities:
  - { entityType: customers, name: Buyers, dataObject: orders, key: customer, validFrom: changed, properties: [amount, state] }
`;
const relations = relationsInSource([1, 2], [1], [1], false).toSorted();

describe('imports on Citus', function () {
  this.timeout(900_000);
  let citus: TestCitus;
  let database: string;

  /** A database with distributed tables. */
  async function createShop(): Promise<string> {
    const name = await citus.createDatabase();
    await citus.coordinator.query(name, shop);
    for (const statement of distributeShop) await citus.coordinator.query(name, statement);
    return name;
  }

  const filesOf = (name: string, text = `${graph}${sourceSettings}`, server: PostgresAccess = citus.coordinator) => ({
    'entity-sources.yaml': postgresqlSources(server, name),
    'graph.entity.yaml': text,
  });

  before(async () => {
    citus = await sharedCitus();
    database = await createShop();
  });

  /** The tables and views of the schemas of graphs on a node, `schema.name`; of a shard, those of its table. */
  async function relationsOn(node: PostgresAccess, name: string): Promise<readonly string[]> {
    const found = await node.query(
      name,
      `SET citus.override_table_visibility = off;
       SELECT DISTINCT space.nspname || '.' || regexp_replace(class.relname, '_1\\d{5}$', '') AS name
       FROM pg_class AS class JOIN pg_namespace AS space ON space.oid = class.relnamespace
       WHERE space.nspname LIKE 'ekg%' AND class.relkind IN ('r', 'v') ORDER BY 1`,
    );
    return found.map((row) => String(row['name']));
  }

  for (const isOnCoordinator of [false, true]) {
    const where = isOnCoordinator ? ', where the coordinator has shards and shows them' : '';
    it(`leave the graph and nothing else on all nodes${where}`, async () => {
      const { coordinator, workers } = citus;
      const own = await createShop();
      if (isOnCoordinator) {
        await coordinator.query(own, "SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)", [
          coordinator.host,
          coordinator.port,
        ]);
        await coordinator.query(
          'postgres',
          `ALTER DATABASE "${own}" SET citus.show_shards_for_app_name_prefixes = '*'`,
        );
      }
      await withProject(filesOf(own), async (project) => {
        for (const schemas of [['ekg'], ['ekg', 'ekg__previous']]) {
          const { status, error } = await project.import();
          assert.equal(status, 'imported', error?.message);
          const expected = schemas.flatMap((schema) => relations.map((name) => `${schema}.${name}`));
          assert.deepEqual(await relationsOn(coordinator, own), expected);
          for (const node of workers) {
            const found = await relationsOn(node, own);
            assert.deepEqual(
              found.filter((name) => !expected.includes(name)),
              [],
            );
            assert.ok(found.includes('ekg.event'));
          }
        }
      });
      const known = await coordinator.query(
        own,
        "SELECT DISTINCT split_part(logicalrelid::text, '.', 1) AS schema FROM pg_dist_partition WHERE logicalrelid::text LIKE '%.%' ORDER BY 1",
      );
      assert.deepEqual(
        known.map(({ schema }) => schema),
        ['ekg', 'ekg__previous'],
      );
    });
  }

  it('leave nothing on any node when they are killed', async () => {
    const own = await createShop();
    await withProject(filesOf(own), async ({ folder, import: importNow }) => {
      assert.equal((await importNow()).status, 'imported');
      const nodes = [citus.coordinator, ...citus.workers];
      const before = await Promise.all(nodes.map((node) => relationsOn(node, own)));
      for (const at of ['data pull', 'graph build', 'post-load checks']) {
        const killed = await runCli(['import', 'graph.entity.yaml', '--format', 'json', '--workspace', folder], {
          cwd: folder,
          env: {},
          onOutput: (text, stop) => text.includes(`"step":"${at}"`) && stop('SIGKILL'),
        });
        assert.equal(killed.code, null, at);
        for (const node of nodes) await waitUntil('its transactions have ended', () => noneOpen(node, own), 60_000);
        assert.deepEqual(await Promise.all(nodes.map((node) => relationsOn(node, own))), before, at);
        for (const node of nodes) {
          // Files of dropped tables are removed at a checkpoint, perhaps the one after the next.
          await waitUntil('no file is left', async () =>
            (await filesWithoutTable(node, own)) === 0 ? true : undefined,
          );
        }
      }
      assert.equal((await importNow()).status, 'imported');
    });
  });

  it('are refused while another builds in the same schema', async () => {
    const own = await createShop();
    await withProject(filesOf(own), (one) =>
      withProject(filesOf(own), async (other) => {
        const done = await Promise.all([one.import(), other.import()]);
        assert.deepEqual(done.map(({ status }) => status).toSorted(), ['failed', 'imported']);
        const refused = done.find(({ status }) => status === 'failed');
        assert.match(String(refused?.error?.message), /The schema ekg is being built by another import/);
        assert.equal((await other.import()).status, 'imported');
      }),
    );
  });

  it('build in two schemas at once', async () => {
    const own = await createShop();
    const textOf = (schema: string): string => `${graph}import: { engine: source, schema: '${schema}' }\n`;
    await withProject(filesOf(own, textOf('ekg_one')), (one) =>
      withProject(filesOf(own, textOf('ekg $$ "other"')), async (other) => {
        const done = await Promise.all([one.import(), other.import()]);
        for (const { status, error } of done) assert.equal(status, 'imported', error?.message);
        assert.deepEqual(done[0]?.totals, done[1]?.totals);
      }),
    );
  });

  it('build the events since a time as the embedded engine', async () => {
    const { source } = await compareEngines(citus.coordinator, database, graph, '', false, {
      kind: 'build',
      since: '2024-03-31T01:00:00Z',
    });
    assert.ok(source.totals.events > 0 && source.totals.events < 9, String(source.totals.events));
  });

  it('build a sample', async () => {
    await withProject(filesOf(database), async (project) => {
      const { status, error, elements } = await project.import({ request: { kind: 'build', sample: 2 } });
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        elements.map(({ rows }) => rows),
        [2, 2],
      );
    });
  });

  it('are fetched to this machine, checked and compared', async () => {
    await withProject(filesOf(database), async ({ folder, import: importNow }) => {
      const run = async (command: string): Promise<string> => {
        const args = [command, 'graph.entity.yaml', '--workspace', folder, '--format', 'json'];
        const { code, stdout, stderr } = await runCommand(args, folder, {
          ENTITY_GRAPH_SECRET_SHOP: citus.coordinator.password,
        });
        assert.equal(code, 0, stdout + stderr);
        return stdout;
      };
      for (let copy = 0; copy < 2; copy += 1) {
        assert.equal((await importNow()).status, 'imported');
        assert.equal((await importNow({ request: { kind: 'fetch' } })).status, 'imported');
      }
      await run('check');
      assert.equal((JSON.parse(await run('diff')) as GraphDiff).changed, false);
    });
  });

  it('become tests with the rows of distributed tables', async () => {
    await withProject(filesOf(database), async ({ folder }) => {
      const projectContext: ProjectContext = {
        ...{ permitUses: permitAllUses, readSecret: async () => citus.coordinator.password, environment: {} },
        workspaceFolderOf: () => folder,
      };
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
      const targets = [
        { kind: 'element', name: 'Order', only: { kind: 'key', key: '["1","2"]' } },
        { kind: 'element', name: 'Win', only: { kind: 'key', key: 'ä' } },
      ] as const;
      const rows = await readTestRows(file, { targets }, projectContext, { signal: new AbortController().signal });
      assert.deepEqual(
        rows.objects.map(({ dataObject, rows: { length } }) => [dataObject, length]),
        [
          ['orders', 1],
          ['customers', 1],
        ],
      );
      const { signal } = new AbortController();
      const online = { signal, isOnline: true };
      const newTest = { ...rows, name: 'one order', masked: [] };
      const { path, text, notRun } = await createTest(file, newTest, projectContext, (tests, only) => {
        const openText = (opened: string) => (opened === tests.path ? tests.text : undefined);
        const options = { ...online, only: new Set(only) };
        return toOutcome(() => runGraphTests(tests.path, { ...projectContext, openText }, options));
      });
      assert.equal(notRun, undefined);
      await writeFile(path, text);
      const { tests, problems } = await runGraphTests(path, projectContext, online);
      assert.deepEqual([tests.map(({ outcome }) => outcome), problems], [['passed'], []], text);
    });
  });

  it('are possible for a user who may create schemas; for others an error names the missing right', async () => {
    const { coordinator } = citus;
    const own = await createShop();
    await coordinator.query(
      own,
      `CREATE ROLE builder LOGIN PASSWORD 'builder'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO builder;
       GRANT CREATE, TEMPORARY ON DATABASE "${own}" TO builder`,
    );
    const builder = { ...coordinator, user: 'builder', password: 'builder' };
    await withProject(filesOf(own, undefined, builder), async (project) => {
      for (let run = 0; run < 3; run += 1) {
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
      }
      await coordinator.query(
        own,
        'REVOKE EXECUTE ON FUNCTION create_distributed_table(regclass, text, citus.distribution_type, text, int) FROM public',
      );
      const refused = await project.import();
      assert.deepEqual([refused.status, refused.error?.code], ['failed', 'permission-denied'], refused.error?.message);
      assert.match(String(refused.error?.message), /^Citus distributes no tables for this user/);
      assert.match(String(refused.error?.remedy), /EXECUTE on create_distributed_table/);
    });
    await coordinator.query(
      own,
      `SET citus.enable_create_role_propagation = off; SET citus.enable_ddl_propagation = off;
       CREATE ROLE stranger LOGIN PASSWORD 'unknown'; GRANT SELECT ON ALL TABLES IN SCHEMA public TO stranger; GRANT CREATE, TEMPORARY ON DATABASE "${own}" TO stranger`,
    );
    const stranger = { ...coordinator, user: 'stranger', password: 'unknown' };
    await withProject(
      filesOf(own, `${graph}import: { engine: source, schema: theirs }\n`, stranger),
      async (project) => {
        const { error } = await project.import();
        assert.match(String(error?.message), /connection to the remote node .* role "stranger" does not exist/);
        assert.deepEqual(
          [error?.code, /create it on all of them/.test(String(error?.remedy))],
          ['source-failed', true],
        );
      },
    );
  });
});

/** Nothing where an import still works on the node. */
async function noneOpen(node: PostgresAccess, database: string): Promise<true | undefined> {
  const open = await node.query(
    'postgres',
    `SELECT pid::text FROM pg_stat_activity WHERE datname = $1 AND xact_start IS NOT NULL AND backend_type = 'client backend'
     UNION ALL SELECT gid FROM pg_prepared_xacts WHERE database = $1`,
    [database],
  );
  return open.length === 0 ? true : undefined;
}

/** How many files of the database belong to no table of it. */
async function filesWithoutTable(node: PostgresAccess, database: string): Promise<number> {
  await node.query(database, 'CHECKPOINT');
  const [found] = await node.query(
    database,
    `SET citus.override_table_visibility = off;
     SELECT count(*) AS files FROM pg_ls_dir('base/' || (SELECT oid FROM pg_database WHERE datname = current_database())) AS file
     WHERE file ~ '^\\d+$' AND NOT EXISTS (SELECT FROM pg_class WHERE pg_relation_filenode(oid)::text = file)`,
  );
  return Number(found?.['files']);
}
