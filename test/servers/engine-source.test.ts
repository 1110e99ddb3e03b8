// Compares a graph built inside a server with the embedded engine. Not part of `npm test`, which has PostgreSQL only:
// `npm run try-server -- postgresql://…` runs it against the named server.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { accessTo } from '../support/postgres.ts';
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
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { runCli } from '../support/run-cli.ts';
import { waitUntil } from '../support/wait-until.ts';
import { projectFolder } from '../support/vscode-host.ts';

const url = new URL(process.env['ENTITY_GRAPH_SERVER'] ?? '');
const database = decodeURIComponent(url.pathname.slice(1));
const server = accessTo({
  host: url.hostname,
  port: Number(url.port || 5432),
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
});

describe(`engine: source at ${url.host}`, () => {
  // Not the schema public itself, which contains extensions.
  const clear = async (): Promise<void> => {
    await server.query(database, 'DROP SCHEMA IF EXISTS ekg CASCADE');
    await server.query(database, 'DROP SCHEMA IF EXISTS ekg__previous CASCADE');
    const tables = await server.query(database, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
    for (const { tablename } of tables) await server.query(database, `DROP TABLE "${String(tablename)}" CASCADE`);
  };

  after(clear);

  describe('tables of a shop', () => {
    before(() => server.query(database, shop));
    after(clear);

    for (const [what, graph] of Object.entries({ ...ruleGraphs, ...laterRuleGraphs, ...linkedGraphs })) {
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

  it('builds the same graph as the embedded engine: northwind sample', async () => {
    const script = await readFile(join(projectFolder, 'samples/northwind/northwind.sql'), 'utf8');
    await server.query(database, script);
    const text = await readFile(join(projectFolder, 'samples/northwind/northwind.entity.yaml'), 'utf8');
    const { source } = await compareEngines(server, database, text.replace(/^dataSource: .*$/m, 'dataSource: shop'));
    assert.ok(source.totals.events > 1000);
    await clear();
  });
});
