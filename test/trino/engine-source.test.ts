import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Connector } from '../../server/src/connectors/connector.ts';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import { namedViews, relationsInSource } from '../../server/src/graph-schema/table-names.ts';
import { compareInLake } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { cliPath } from '../support/run-cli.ts';
import { startTrinoProxy } from '../support/trino-proxy.ts';
import { trinoConnector } from '../support/trino-source.ts';

describe('graphs built inside Trino', () => {
  let trino: TestTrino;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
  });

  const schemasLike = async (name: string): Promise<readonly string[]> =>
    (await trino.run('SHOW SCHEMAS FROM lake')).map(([each]) => String(each)).filter((each) => each.startsWith(name));

  const source = (settings: string): string =>
    `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, ${settings} }\n`;

  it('equal those of the embedded engine with ties, sequences, other zones and row correlations', async function () {
    this.timeout(600_000);
    const schema = await trino.createSchema();
    await trino.run(`CREATE TABLE lake.${schema}.visit AS SELECT
      'K' || CAST(i % 7 AS varchar) AS k, i % 3 AS seq, IF(i % 11 = 0, NULL, 'C' || CAST(i % 5 AS varchar)) AS guest,
      TIMESTAMP '2024-10-27 01:30:00' + (i % 4) * INTERVAL '30' MINUTE AS at,
      IF(i % 5 = 0, NULL, TIMESTAMP '2024-10-27 02:30:00.1234567') AS seen, CAST(i AS double) / 8 AS amount
      FROM UNNEST(sequence(1, 2000)) AS t (i)`);
    const graph = `version: 1
name: Visits
dataSource: shop
dataObjects: [visit]
elements:
  - activityName: Visit
    dataObject: visit
    key: k
    entityType: visit
    startTimestamp: at
    changeTimestamp: seen
    sequence: seq
    correlatesWith: [{ entityType: guest, key: guest }]
    properties: [amount, guest]
`;
    await compareInLake(trino, `catalog: lake, schemas: ${schema}, timeZone: Europe/Berlin`, graph, 'ekg_visits');
  });

  const owner = { entity: 'one', runs: [] };

  async function builds(use: (connector: Connector) => Promise<void>): Promise<void> {
    const connector = await trinoConnector(trino, 'none');
    try {
      await use(connector);
    } finally {
      await connector.close();
    }
  }

  it('are refused at once in a catalog of another connector, and leave nothing in it', async () => {
    await builds(async (connector) => {
      for (const catalog of ['memory', 'tpch']) {
        const build = connector.openBuild?.({ schema: `${catalog}.nowhere`, owner, run: '20240101T000000000-aaaa' });
        await assert.rejects(
          async () => build,
          (error: Error) => {
            assert.match(error.message, new RegExp(`the catalog ${catalog} is of the connector ${catalog}`, 'u'));
            assert.match(String((error as SourceError).details.remedy), /catalog of Iceberg under import\.catalog/u);
            return true;
          },
        );
        const schemas = (await trino.run(`SHOW SCHEMAS FROM ${catalog}`)).map(([name]) => String(name));
        assert.deepEqual(
          schemas.filter((name) => name.startsWith('nowhere')),
          [],
        );
      }
    });
  });

  it('survive a kill before the turn is recorded, events are filled, the graph is published, or views are replaced; the next import sweeps', async function () {
    this.timeout(900_000);
    const schema = await trino.createSchema();
    await trino.run(
      `CREATE TABLE lake.${schema}.visit AS SELECT i AS k, TIMESTAMP '2024-10-27 01:30:00' AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
    );
    const proxy = await startTrinoProxy(trino);
    const sources = source(`catalog: lake, schemas: ${schema}`).replace(`port: ${trino.port}`, `port: ${proxy.port}`);
    const graph = `version: 1
name: Visits
dataSource: shop
dataObjects: [visit]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at }
import: { engine: source, schema: ekg_killed }
`;
    const killed = withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, async (project) => {
      const first = await project.import();
      assert.equal(first.status, 'imported', first.error?.message);
      const events = async (): Promise<unknown> =>
        (await trino.run('SELECT count(*), min(id), max(id) FROM lake.ekg_killed.event'))[0];
      const before = await events();
      const pointer = async (): Promise<unknown> =>
        (await trino.run('SELECT turn FROM lake.ekg_killed.published'))[0]?.[0];
      const steps: readonly (readonly [step: RegExp, turn: number])[] = [
        [/^CREATE TABLE .*"begun"/, 1],
        [/^CREATE TABLE .*\.event AS/, 1],
        [/^UPDATE/, 1],
        [/^CREATE OR REPLACE VIEW .*"event" AS/, 2],
      ];
      for (const [step, turn] of steps) {
        const stop = new AbortController();
        proxy.onStatement = async ({ sql }) => {
          if (!step.test(sql)) return;
          stop.abort();
          throw new Error('The process is gone.');
        };
        const child = spawn(process.execPath, [cliPath, 'import', 'graph.entity.yaml'], {
          cwd: project.folder,
          stdio: 'ignore',
        });
        stop.signal.addEventListener('abort', () => child.kill('SIGKILL'));
        const [code, name] = (await once(child, 'exit')) as [number | null, string | null];
        assert.deepEqual([code, name], [null, 'SIGKILL'], String(step));
        assert.deepEqual([await events(), await pointer()], [before, turn], String(step));
      }
      proxy.onStatement = async () => undefined;
      const last = await project.import();
      assert.equal(last.status, 'imported', last.error?.message);
      assert.deepEqual([await events(), await pointer()], [before, 3]);
      const runs = (await schemasLike('ekg_killed__')).toSorted();
      const begun = await Promise.all(
        runs.map(async (run) => {
          const tables = (await trino.run(`SHOW TABLES FROM lake.${run}`)).map(([name]) => String(name));
          return tables.includes('begun') ? 'begun' : tables.join();
        }),
      );
      // The one that had noted nothing but a view stays for a day: it could be of an import that begins.
      assert.deepEqual(begun.toSorted(), ['begun', 'begun', 'begun_view']);
    });
    await killed.finally(() => proxy.close());
  });

  it('have a plan that names all published tables and views', async () => {
    await builds(async (connector) => {
      const build = await connector.openBuild?.({ schema: 'planned', owner, readOnly: true });
      const relations = relationsInSource({
        elements: [1],
        entities: [2],
        versioned: [2],
        found: ['rules'],
        hasEnds: false,
        views: namedViews({ entityTypes: ['order'], elements: ['Place Order'] }),
      });
      const texts = build?.publishing(relations).statements.map(({ sql }) => sql) ?? [];
      for (const name of relations)
        assert.ok(
          texts.some((sql) => sql.includes(`"planned"."${name}" AS SELECT`)),
          name,
        );
      await build?.close();
      assert.deepEqual(await schemasLike('planned'), []);
    });
  });
});
