import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { importAsPlanned } from '../support/import-as-planned.ts';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { type WatchedPlans, singleStages, watchPlans } from '../support/trino-plans.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoGraphs, trinoShop } from '../support/trino-shop.ts';

describe('constructs of graphs built inside Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let schema = '';
  let plans: WatchedPlans | undefined;
  const passed: string[] = [];

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    proxy = await startTrinoProxy(trino);
    schema = await trino.createSchema();
    for (const sql of trinoShop(`lake.${schema}`)) await trino.run(sql);
    plans = watchPlans(trino, proxy);
    const plan = proxy.onStatement;
    proxy.onStatement = async (statement) => {
      passed.push(statement.sql);
      await plan(statement);
    };
  });

  after(() => proxy.close());

  for (const [index, [what, graph]] of Object.entries(trinoGraphs).entries()) {
    it(`equal those of the embedded engine, by the statements that their plan prints: ${what}`, async function () {
      this.timeout(900_000);
      const settings = `catalog: lake, schemas: ${schema}, timeZone: Europe/Berlin`;
      let steps: readonly string[] = [];
      await compareInLake({ port: proxy.port, run: trino.run }, settings, graph, `ekg_${index}`, async (project) => {
        const planned = await importAsPlanned(project, passed);
        ({ steps } = planned);
        return planned.summary;
      });
      assert.equal(steps.includes('rules'), graph.includes('\nrules:'));
    });
  }

  it('are built without a stage that processes rows on a single worker, by the plans of all statements', async () => {
    const explain = async (select: string): Promise<string> => {
      const sql = `EXPLAIN (TYPE DISTRIBUTED) CREATE TABLE lake.${schema}.explained AS ${select}`;
      return ((await trino.run(sql)) as [[string]])[0][0];
    };
    // The check itself finds windows over all rows, also where ranges may be ordered, and a table of one row that may grow.
    const window = await explain(`SELECT id, row_number() OVER (ORDER BY at) AS rank FROM lake.${schema}.orders`);
    for (const mayOrderRanges of [false, true]) assert.equal(singleStages(window, mayOrderRanges).length, 1, window);
    await trino.run(`CREATE TABLE lake.${schema}.one AS SELECT 1 AS id`);
    const small = await explain(
      `SELECT n, one.id FROM (SELECT count(*) AS n FROM lake.${schema}.orders) AS counted CROSS JOIN lake.${schema}.one`,
    );
    assert.equal(singleStages(small, false).length, 1, small);
    assert.ok(plans && plans.count > 90, `${plans?.count} statements`);
    assert.deepEqual([plans.onOneWorker, plans.seenEmpty], [[], []]);
  });
});
