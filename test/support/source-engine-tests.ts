import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { compareEngines, sourceSettings } from './compare-engines.ts';
import type { PostgresAccess } from './postgres.ts';
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
  distributeShop,
} from './shop-graphs.ts';
import { graphText, postgresqlSources, withProject } from './import-text.ts';
import { runCli } from './run-cli.ts';
import { waitUntil } from './wait-until.ts';
import { projectFolder } from './vscode-host.ts';

/** An empty database. */
interface OpenedDatabase {
  readonly server: PostgresAccess;
  readonly database: string;
}

/** Its SQL has a join and a correlated subquery of tables that are distributed by different columns. */
const refusedByCitus = 'times computed from a joined table, some missing';

/** Compares graphs that a server builds with those of the embedded engine. @param open names an empty database of it */
export function sourceEngineTests(title: string, isCitus: boolean, open: () => Promise<OpenedDatabase>): void {
  describe(title, () => {
    let server: PostgresAccess;
    let database: string;

    // Not the schema public itself, which contains extensions.
    const clear = async (): Promise<void> => {
      await server.query(database, 'DROP SCHEMA IF EXISTS ekg CASCADE');
      await server.query(database, 'DROP SCHEMA IF EXISTS ekg__previous CASCADE');
      const tables = await server.query(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
      for (const { tablename } of tables) await server.query(database, `DROP TABLE "${String(tablename)}" CASCADE`);
    };

    before(async function () {
      this.timeout(600_000);
      ({ server, database } = await open());
    });

    after(clear);

    // Only Citus has tables of both kinds.
    for (const isDistributed of isCitus ? [false, true] : [false]) {
      describe(isDistributed ? 'tables on several nodes' : 'tables on one node', () => {
        before(async () => {
          await server.query(database, shop);
          if (isDistributed) for (const statement of distributeShop) await server.query(database, statement);
        });
        after(clear);

        for (const [what, graph] of Object.entries({ ...ruleGraphs, ...laterRuleGraphs, ...linkedGraphs })) {
          if (isDistributed && what === refusedByCitus) {
            it(`reports what Citus cannot join: ${what}`, async () => {
              const files = { 'entity-sources.yaml': postgresqlSources(server, database), 'graph.entity.yaml': graph };
              const { error } = await withProject(files, (project) => project.import());
              assert.match(String(error?.message), /complex joins are only supported/);
              assert.match(String(error?.remedy), /make one a reference table/);
            });
            continue;
          }
          it(`builds the same graph as the embedded engine: ${what}`, async () => {
            await compareEngines(server, database, graph);
          });
        }

        it('builds the same graph as the embedded engine: random graphs without custom SQL', async function () {
          this.timeout(1_800_000);
          await fc.assert(
            fc.asyncProperty(randomGraph, async (graph) => {
              await compareEngines(server, database, graph);
            }),
            { numRuns: 20 },
          );
        });

        it('a killed import keeps the previous graph, and leaves no lock', async function () {
          this.timeout(600_000);
          const files = {
            'entity-sources.yaml': postgresqlSources(server, database),
            'graph.entity.yaml': `${graphText(orders + customers)}${sourceSettings}`,
          };
          await withProject(files, async ({ folder, import: importNow }) => {
            assert.equal((await importNow()).status, 'imported');
            const before = await server.query(database, 'SELECT id FROM ekg.run');
            for (const at of ['data pull', 'graph build', 'post-load checks']) {
              const killed = await runCli(['import', 'graph.entity.yaml', '--format', 'json', '--workspace', folder], {
                cwd: folder,
                env: {},
                onOutput: (text, stop) => text.includes(`"step":"${at}"`) && stop('SIGKILL'),
              });
              assert.equal(killed.code, null, at);
              assert.deepEqual(await server.query(database, 'SELECT id FROM ekg.run'), before, at);
            }
            await waitUntil(
              'the server has noticed',
              async () => ((await importNow()).status === 'imported' ? true : undefined),
              60_000,
            );
          });
        });

        it('deleting the entity graph drops its tables on request', async () => {
          const files = {
            'entity-sources.yaml': postgresqlSources(server, database),
            'graph.entity.yaml': `${graphText(orders + customers)}${sourceSettings}`,
          };
          await withProject(files, async ({ folder, import: importNow }) => {
            for (let run = 0; run < 2; run += 1) assert.equal((await importNow()).status, 'imported');
            const args = ['delete', 'graph.entity.yaml', '--yes', '--drop-tables', '--workspace', folder];
            const deleted = await runCli(args, { cwd: folder, env: {} });
            assert.equal(deleted.code, 0, deleted.stderr);
            const left = await server.query(database, "SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ekg%'");
            assert.deepEqual(left, []);
          });
        });

        it('copies the graph to this machine', async () => {
          await compareEngines(server, database, graphText(customers + orders, places), '', true);
        });

        it('reads times without zone in the zone of the source', async () => {
          await compareEngines(server, database, graphText(orders + lines + customers), ', timeZone: Europe/Berlin');
        });
      });
    }

    it('builds the same graph as the embedded engine: northwind sample', async () => {
      const script = await readFile(join(projectFolder, 'samples/northwind/northwind.sql'), 'utf8');
      await server.query(database, script);
      const text = await readFile(join(projectFolder, 'samples/northwind/northwind.entity.yaml'), 'utf8');
      const { source } = await compareEngines(server, database, text.replace(/^dataSource: .*$/m, 'dataSource: shop'));
      assert.ok(source.totals.events > 1000);
      if (isCitus) {
        const spread = await server.query(
          database,
          `SELECT distribution_column AS column, count(*)::int AS tables, min(shard_count)::int > 1 AS spread FROM citus_tables
         WHERE table_name::text LIKE 'ekg.%' AND table_name::text NOT LIKE '%.properties_%' GROUP BY 1 ORDER BY 1`,
        );
        const expected = [
          ['entity_id', 3],
          ['id', 1],
          ['source_entity_id', 1],
        ];
        assert.deepEqual(
          spread,
          expected.map(([column, tables]) => ({ column, tables, spread: true })),
        );
      }
      await clear();
    });
  });
}
