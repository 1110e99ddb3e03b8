import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { type TrinoProxy, startTrinoProxy } from '../support/trino-proxy.ts';
import { singleStages } from '../support/trino-plans.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';
import { trinoGraphs, trinoShop } from '../support/trino-shop.ts';

describe('constructs of graphs built inside Trino', () => {
  let trino: TestTrino;
  let proxy: TrinoProxy;
  let schema = '';
  /** Statements with a stage of one worker over rows, and why. */
  const onOneWorker: string[] = [];
  const planned = new Set<string>();
  /** Statements that were seen over an empty table only. */
  const seenEmpty = new Map<string, string>();

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    proxy = await startTrinoProxy(trino);
    schema = await trino.createSchema();
    for (const sql of trinoShop(`lake.${schema}`)) await trino.run(sql);
    proxy.onStatement = async ({ sql, headers }) => {
      if (!/^(?:CREATE TABLE|INSERT|UPDATE|SELECT|WITH)/u.test(sql)) return;
      // Rows that are pulled or fetched go to this one machine, and so do the names of tables.
      if (headers['x-trino-transaction-id'] !== undefined || /system\.jdbc|information_schema/u.test(sql)) return;
      // Statements that differ in numbers and runs have one plan.
      const form = sql.replaceAll(/ekg_\w+/gu, '').replaceAll(/\d+/gu, '');
      if (planned.has(form)) return;
      // What a rule lists is joined with tables of the graph: small ones are sent to it, by default up to 100 MB.
      const session = /\bjudged AS \(/u.test(sql) ? { 'x-trino-session': 'join_max_broadcast_table_size=1B' } : {};
      const [[plan]] = (await trino.run(`EXPLAIN (TYPE DISTRIBUTED) ${sql}`, { ...headers, ...session })) as [[string]];
      const stages = singleStages(plan, /^CREATE TABLE \w+_offsets AS/u.test(sql));
      if (stages.some(({ isOfEmptyTable }) => isOfEmptyTable)) {
        seenEmpty.set(form, sql);
        return;
      }
      planned.add(form);
      seenEmpty.delete(form);
      onOneWorker.push(...stages.map(({ stage, why }) => `${stage}: ${why}\n${sql}`));
    };
  });

  after(() => proxy.close());

  for (const [index, [what, graph]] of Object.entries(trinoGraphs).entries()) {
    it(`equal those of the embedded engine: ${what}`, async function () {
      this.timeout(900_000);
      const settings = `catalog: lake, schemas: ${schema}, timeZone: Europe/Berlin`;
      await compareInLake({ port: proxy.port, run: trino.run }, settings, graph, `ekg_${index}`);
    });
  }

  it('are built without a stage that processes rows on a single worker, by the plans of all statements', async () => {
    const explain = async (select: string): Promise<string> => {
      const sql = `EXPLAIN (TYPE DISTRIBUTED) CREATE TABLE lake.${schema}.explained AS ${select}`;
      return ((await trino.run(sql)) as [[string]])[0][0];
    };
    // What is found: windows over all rows, also where ranges may be ordered, and a table of one row that may grow.
    const window = await explain(`SELECT id, row_number() OVER (ORDER BY at) AS rank FROM lake.${schema}.orders`);
    for (const mayOrderRanges of [false, true]) assert.equal(singleStages(window, mayOrderRanges).length, 1, window);
    await trino.run(`CREATE TABLE lake.${schema}.one AS SELECT 1 AS id`);
    const small = await explain(
      `SELECT n, one.id FROM (SELECT count(*) AS n FROM lake.${schema}.orders) AS counted CROSS JOIN lake.${schema}.one`,
    );
    assert.equal(singleStages(small, false).length, 1, small);
    assert.ok(planned.size > 50);
    assert.deepEqual(onOneWorker, []);
    assert.deepEqual([...seenEmpty.values()], []);
  });
});
