import assert from 'node:assert/strict';
import type { MeasureResult } from '../../protocol/measures.ts';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { namedMeasures, randomCalendars, randomMeasure } from '../support/random-measures.ts';
import { randomOf } from '../support/random.ts';
import { createRulesShop, rulesShop as shop } from '../support/rules-shop.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';

/** Measures with properties, and odd ones. */
const ofValues = `  - { name: Amounts, each: { entityType: order, where: amount > 5 }, value: amount, target: { mean: { atMost: 3 }, share: { atMost: 20, atLeast: 99% } }, severity: error }
  - { name: Late, each: { activity: Ship Order }, sql: CASE WHEN late THEN 1 ELSE 0 END }
  - { name: Nothing, each: { entityType: order, where: 1 = 0 }, duration: {} }
  - { name: Odd, each: { entityType: order }, sql: "CASE WHEN amount > 10 THEN CAST('NaN' AS DOUBLE PRECISION) WHEN amount > 5 THEN CAST('-Infinity' AS DOUBLE PRECISION) ELSE amount END" }
  - { name: "It's \\ quoted", each: { activity: Add Line }, duration: { from: Add Line, to: Ship Order, of: order } }
`;

/** Everything but the statement, which differs. */
const comparable = ({ sql: _, ...result }: MeasureResult): unknown => result;

describe('measures of graphs in their source', () => {
  let server: TestPostgres;

  before(async () => {
    server = await sharedPostgres();
  });

  it('are found as in the embedded engine: random measures over random graphs, with their tables', async function () {
    this.timeout(600_000);
    for (const seed of soakSeeds(1)) {
      const database = await createRulesShop(server, seed);
      const random = randomOf(seed);
      const measures = Array.from({ length: 60 }, (_, index) => randomMeasure(random, index)).join('');
      const { embedded, source } = await compareEngines(
        server,
        database,
        `${shop}${randomCalendars}measures:\n${ofValues}${namedMeasures}${measures}`,
      );
      const found = embedded.measures ?? [];
      assert.equal(found.length, 78);
      assert.deepEqual(
        found.flatMap(({ name, error }) => (error === undefined ? [] : [name, error])),
        [],
      );
      assert.deepEqual(source.measures?.map(comparable), found.map(comparable), `seed ${seed}`);
      assert.ok(found.filter(({ count }) => count > 0).length > 40);
      assert.ok(found.slice(5, 18).every(({ count }) => count > 0));
      countSoak();
    }
  });

  it('are found in the source by their current text, and again in a copy', async () => {
    const database = await createRulesShop(server, 31);
    const graph = (measures: string): string => `${shop}measures:\n${measures}${sourceSettings}`;
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': graph(ofValues),
    };
    await withProject(files, async ({ folder, import: run, write, rows }) => {
      const imported = await run();
      assert.equal(imported.status, 'imported', imported.error?.message);
      await write({
        'graph.entity.yaml': graph(`${ofValues}  - { name: Misspelt, each: { entityType: order }, sql: amuont }\n`),
      });
      const cli = (...words: readonly string[]): ReturnType<typeof runCommand> =>
        runCommand(words, folder, { ENTITY_GRAPH_SECRET_SHOP: 'postgres' });
      const { code, stdout, stderr } = await cli('rules', 'graph.entity.yaml', '--format', 'json');
      assert.equal(code, 1, stderr);
      const results = JSON.parse(stdout) as MeasureResult[];
      assert.deepEqual(results.slice(0, 5).map(comparable), imported.measures?.map(comparable));
      assert.match(results[0]?.sql ?? '', /FROM "ekg"\."entity"/u);
      assert.match(results[5]?.error ?? '', /amuont/u);
      await run({ request: { kind: 'fetch' } });
      const copied = await rows('SELECT name, count, missing, met FROM measure WHERE NOT is_default ORDER BY number');
      assert.deepEqual(
        copied.map((row) => row.map(String)),
        imported.measures?.map(({ name, count, missing, met }) => [name, count, missing, met].map(String)),
      );
      await write({ 'graph.entity.yaml': graph(ofValues.replace('amount > 5', '(SELECT amuont) > 5')) });
      const mistaken = await run();
      assert.equal(mistaken.status, 'imported', mistaken.error?.message);
      assert.deepEqual(
        mistaken.measures?.map(({ error }) => error === undefined),
        [false, true, true, true, true],
      );
    });
  });
});
