import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { compareInTrino } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { startTrino, type TestTrino } from '../support/trino-server.ts';
import { loadOrderToCash } from '../support/trino-samples.ts';
import { trinoGraphs, trinoShop } from '../support/trino-shop.ts';
import { visitSources } from '../support/trino-visits.ts';
import { waitUntil } from '../support/wait-until.ts';

interface Stage {
  readonly tasks: readonly { readonly taskStatus: { readonly nodeId: string; readonly state: string } }[];
  readonly subStages: readonly Stage[];
}

function tasksOf({ tasks, subStages }: Stage): readonly { readonly nodeId: string; readonly state: string }[] {
  return [...tasks.map(({ taskStatus }) => taskStatus), ...subStages.flatMap(tasksOf)];
}

const isOver = (state: string): boolean => state === 'FINISHED' || state === 'FAILED';

describe('two nodes of Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let schema = '';
  /** So many that numbering them takes a while. */
  const visits = 200_000;

  before(async function () {
    // Starting two nodes of Trino takes minutes under load.
    this.timeout(1_200_000);
    trino = await startTrino({ triesAgain: true });
    proxy = await startTrinoProxy(trino);
    await trino.addWorker();
    schema = await trino.createSchema();
    await trino.run(`CREATE TABLE lake.${schema}.visit AS SELECT 'K' || CAST(i % 700 AS varchar) AS k, i,
      TIMESTAMP '2024-01-01 00:00:00' + (i % 90) * INTERVAL '1' HOUR AS at
      FROM (SELECT 10000 * a + b AS i FROM UNNEST(sequence(0, ${visits / 10_000 - 1})) AS x (a) CROSS JOIN UNNEST(sequence(1, 10000)) AS y (b)) AS t`);
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

  const ask = async (path: string): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${trino.port}/v1/${path}`, { headers: { 'x-trino-user': 'admin' } })).json();

  /** The state of a query, and of its tasks on the worker as the coordinator knows them. */
  async function watch(id: string): Promise<{ readonly state: string; readonly tasks: readonly string[] }> {
    const { state, outputStage } = (await ask(`query/${id}`)) as { state: string; outputStage?: Stage };
    const all = outputStage ? tasksOf(outputStage) : [];
    return { state, tasks: all.filter(({ nodeId }) => nodeId === 'two').map((task) => task.state) };
  }

  /** The id of the running statement that numbers events, if it has begun. */
  async function rankingQuery(): Promise<string | undefined> {
    const queries = (await ask('query')) as readonly { queryId: string; query: string; state: string }[];
    return queries.find(({ query, state }) => query.startsWith('CREATE TABLE ranked AS') && !isOver(state))?.queryId;
  }

  /**
   * Kills the worker while it runs a task of the statement that numbers events. Resolves after this statement, to the
   * number of tasks that were lost.
   */
  function killWhileRanking(): Promise<number> {
    return new Promise((resolve, reject) => {
      let isSeen = false;
      proxy.onStatement = async ({ sql }) => {
        if (isSeen || !/^CREATE TABLE ranked AS/u.test(sql)) return;
        isSeen = true;
        killAtTask().then(resolve, reject);
      };
    });
  }

  async function killAtTask(): Promise<number> {
    const id = await waitUntil('the statement has begun', rankingQuery, 120_000);
    const seen: string[] = [];
    for (;;) {
      const { state, tasks } = await watch(id);
      seen.push(`${state}: ${tasks.join(' ')}`);
      assert.ok(!isOver(state), `The worker was never seen at work: ${[...new Set(seen)].join('; ')}`);
      if (!tasks.includes('RUNNING')) {
        await setTimeout(10);
        continue;
      }
      // It cannot finish its tasks any more. The coordinator may just have heard of the end of one.
      trino.signalWorker('SIGSTOP');
      await watch(id);
      if ((await watch(id)).tasks.includes('RUNNING')) break;
      trino.signalWorker('SIGCONT');
    }
    await trino.killWorker();
    const lost = async (): Promise<number | undefined> => {
      const { state, tasks } = await watch(id);
      return isOver(state) ? tasks.filter((task) => task === 'FAILED').length : undefined;
    };
    return waitUntil('the statement has ended', lost, 600_000);
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

  it('build order-to-cash, the sample with most elements, as the embedded engine does, where tasks may be run again', async function () {
    this.timeout(1_200_000);
    const { place, graph: text } = await loadOrderToCash(trino);
    const sample = visitSources(proxy.port, `user: ann, ${place}`);
    const { built } = await compareInTrino(sample, await text('shop'), { catalog: 'lake', schema: 'ekg_sample' });
    assert.ok(built.totals.events > 1000 && (built.rules ?? []).length > 2);
  });

  it('give the same graph when a worker is killed while it numbers events, where tasks are run again', async function () {
    this.timeout(900_000);
    const lost = killWhileRanking();
    // The import ends first, and may fail with another reason.
    lost.catch(() => undefined);
    const { built } = await compareInTrino(sources(), graph, { catalog: 'lake', schema: 'ekg' });
    assert.ok((await lost) > 0);
    assert.equal(built.totals.events, visits);
  });

  it('fail with a remedy when a worker is killed and tasks are not run again; the published graph stays', async function () {
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
    const lost = killWhileRanking();
    const files = {
      'entity-sources.yaml': sources(', sessionProperties: { retry_policy: NONE }'),
      'graph.entity.yaml': `${graph}import: { engine: source, catalog: lake, schema: ekg }\n`,
    };
    await withProject(files, async (project) => {
      const { status, error } = await project.import();
      assert.equal(status, 'failed', String(await lost));
      assert.match(error?.message ?? '', /^A worker of the cluster was lost: /u);
      assert.match(error?.remedy ?? '', /retry-policy=TASK/u);
    });
    assert.deepEqual(await published(), earlier);
  });
});
