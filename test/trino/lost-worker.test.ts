import assert from 'node:assert/strict';
import { compareInTrino } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { startTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoGraphs, trinoShop } from '../support/trino-shop.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('two nodes of Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let schema = '';

  before(async function () {
    // Two Javas that start beside other work.
    this.timeout(1_200_000);
    trino = await startTrino({ triesAgain: true });
    proxy = await startTrinoProxy(trino);
    await trino.addWorker();
    schema = await trino.createSchema();
    await trino.run(`CREATE TABLE lake.${schema}.visit AS SELECT 'K' || CAST(i % 700 AS varchar) AS k, i,
      TIMESTAMP '2024-01-01 00:00:00' + (i % 90) * INTERVAL '1' HOUR AS at FROM UNNEST(sequence(1, 5000)) AS t (i)`);
  });

  after(async () => {
    await proxy.close();
    await trino.stop();
  });

  const sources = (settings = ''): string => sourcesOf('lake', schema, settings);

  const sourcesOf = (name: string, of: string, settings: string): string =>
    `version: 1\ndataSources:\n  ${name}: { kind: trino, host: 127.0.0.1, port: ${proxy.port}, user: ann, catalog: lake, schemas: ${of}${settings} }\n`;

  const graph = `version: 1
name: Visits
dataSource: lake
dataObjects: [visit]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at, properties: [i] }
`;

  /** Number of tasks that the worker has done. */
  async function tasksOfWorker(): Promise<number> {
    const [[tasks]] = (await trino.run(
      "SELECT count(*) FROM system.runtime.tasks WHERE node_id = 'two' AND state = 'FINISHED'",
    )) as [[number]];
    return tasks;
  }

  /**
   * Kills the worker just before the events are numbered: the coordinator still sends work to it. Returns the number of
   * tasks that the worker had done before.
   */
  function killAtRanking(): { tasks?: number } {
    const killed: { tasks?: number } = {};
    proxy.onStatement = async ({ sql }) => {
      if (killed.tasks !== undefined || !/^CREATE TABLE ranked AS/u.test(sql)) return;
      killed.tasks = await tasksOfWorker();
      await trino.killWorker();
    };
    return killed;
  }

  it('build what the embedded engine builds where tasks may be run again: relations, rules, lists, sequences and rows with ties', async function () {
    this.timeout(1_200_000);
    const shop = await trino.createSchema();
    for (const sql of trinoShop(`lake.${shop}`)) await trino.run(sql);
    const graphs = [
      trinoGraphs['relations of all directions, paths, rules'] ?? '',
      (trinoGraphs['lists, separators, events without an entity of their own'] ?? '').replace(
        'ownEntity: false,',
        'ownEntity: false, sequence: seq,',
      ),
    ];
    for (const [index, each] of graphs.entries()) {
      const place = { catalog: 'lake', schema: `ekg_shop_${index}` };
      await compareInTrino(sourcesOf('shop', shop, ', timeZone: Europe/Berlin'), each, place);
    }
    const worked = await trino.run(
      "SELECT node_id, count(*) > 10 FROM system.runtime.tasks WHERE state = 'FINISHED' GROUP BY node_id ORDER BY node_id",
    );
    assert.deepEqual(worked, [
      ['one', true],
      ['two', true],
    ]);
  });

  it('give the same graph when a worker is killed while events are numbered, where tasks are run again', async function () {
    this.timeout(900_000);
    const killed = killAtRanking();
    const { built } = await compareInTrino(sources(), graph, { catalog: 'lake', schema: 'ekg' });
    assert.ok((killed.tasks ?? 0) > 0, 'The worker has worked.');
    assert.equal(built.totals.events, 5000);
  });

  it('give an error that says what helps when a worker is killed and tasks are not run again; the published graph stays', async function () {
    this.timeout(900_000);
    await trino.addWorker();
    const isGivenTasks = async (): Promise<true | undefined> => {
      await trino.run('SELECT max(comment) FROM tpch.tiny.lineitem');
      return (await tasksOfWorker()) > 0 || undefined;
    };
    await waitUntil('the new worker is given tasks', isGivenTasks, 120_000);
    const published = async (): Promise<unknown> => [
      await trino.run('SELECT turn, run FROM lake.ekg.published'),
      await trino.run('SELECT count(*), max(id) FROM lake.ekg.event'),
      await trino.run("SELECT schema_name FROM lake.information_schema.schemata WHERE schema_name LIKE 'ekg__2%'"),
    ];
    const earlier = await published();
    const killed = killAtRanking();
    const files = {
      'entity-sources.yaml': sources(', sessionProperties: { retry_policy: NONE }'),
      'graph.entity.yaml': `${graph}import: { engine: source, catalog: lake, schema: ekg }\n`,
    };
    await withProject(files, async (project) => {
      const { status, error } = await project.import();
      assert.ok((killed.tasks ?? 0) > 0, `The worker had done ${killed.tasks} tasks: ${status}, ${error?.message}`);
      assert.equal(status, 'failed');
      assert.match(error?.message ?? '', /^A worker of the cluster was lost: /u);
      assert.match(error?.remedy ?? '', /retry-policy=TASK/u);
    });
    assert.deepEqual(await published(), earlier);
  });
});
