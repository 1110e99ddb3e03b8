import assert from 'node:assert/strict';
import type { RuleResult } from '../../protocol/process-rules.ts';
import { compareInLake } from '../support/compare-in-trino.ts';
import { withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { randomOf } from '../support/random.ts';
import { randomCalendars } from '../support/random-measures.ts';
import { randomRule } from '../support/random-rules.ts';
import { createRulesShop, rulesOfValues, rulesShop } from '../support/rules-shop.ts';
import { runCommand } from '../support/run-command.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';

describe('rules of graphs built inside Trino', () => {
  let trino: TestTrino;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
  });

  it('are judged as by the embedded engine, for random rules', async function () {
    this.timeout(1_800_000);
    const postgres = await sharedPostgres();
    const pg = await trino.addPostgres(postgres, await createRulesShop(postgres, 21));
    const random = randomOf(21);
    const rules = Array.from({ length: 24 }, (_, index) => randomRule(random, index)).join('');
    const graph = `${rulesShop}${randomCalendars}rules:\n${rulesOfValues}${rules}`;
    // One rule has more stages where its joins are spread over all workers, and fewer where they are not.
    const limit = 'sessionProperties: { query_max_stage_count: 28 }';
    const { embedded } = await compareInLake(trino, `catalog: ${pg}, schemas: public, ${limit}`, graph, 'ekg_rules');
    const judged = embedded.rules ?? [];
    assert.deepEqual([judged.length, judged.filter(({ error }) => error !== undefined)], [28, []]);
    assert.ok(judged.filter(({ broken }) => broken > 0).length > 8);
    const runs = await trino.run(
      `SELECT array_agg(coalesce(error_code, state) ORDER BY created) FROM system.runtime.queries WHERE query LIKE '%"ekg\\_rules\\_\\_%' ESCAPE '\\'
       GROUP BY query HAVING bool_or(error_code IS NOT NULL)`,
    );
    // Two statements: the rule is judged, and what breaks it is listed.
    const again = [['QUERY_HAS_TOO_MANY_STAGES', 'FINISHED']];
    assert.deepEqual(runs, [again, again]);
  });

  it('are judged inside Trino by the current text, until the tables are dropped; one that is too large is noted', async function () {
    this.timeout(600_000);
    const schema = await trino.createSchema();
    await trino.run(
      `CREATE TABLE lake.${schema}.visit AS SELECT i AS k, i % 3 AS n, TIMESTAMP '2024-10-27 01:30:00.123456' + i * INTERVAL '1' HOUR AS at FROM UNNEST(sequence(1, 9)) AS t (i)`,
    );
    const rule = (name: string, expected: string): string =>
      `  - { name: ${name}, each: { entityType: visit }, expect: [{ ${expected} }] }\n`;
    const graph = (rules: string): string => `version: 1
name: Visits
dataSource: shop
dataObjects: [visit]
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at, properties: [n] }
rules:
${rules}import: { engine: source, schema: ekg_judged }
`;
    const small = rule('Small', 'sql: "n < 2"');
    const large = rule(
      'Large',
      Array.from({ length: 20 }, (_, index) => `activity: Visit, count: "..${index + 1}"`).join(' }, { '),
    );
    const tooLarge =
      /^The statement is too large for the cluster: Number of stages in the query \(\d+\) exceeds the allowed maximum \(20\)\. \(ann@\S+\)\. Give .* a rule fewer expectations .* raise query_max_stage_count under sessionProperties/u;
    const files = {
      'entity-sources.yaml': `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, catalog: lake, schemas: ${schema}, sessionProperties: { query_max_stage_count: 20 } }\n`,
      'graph.entity.yaml': graph(small + large),
    };
    await withProject(files, async ({ folder, import: run, write }) => {
      const { status, error, rules } = await run();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(
        rules?.map(({ judged, broken }) => [judged, broken]),
        [
          [9, 3],
          [0, 0],
        ],
      );
      assert.deepEqual(rules?.[0]?.error, undefined);
      assert.match(rules?.[1]?.error ?? '', tooLarge);
      // Readers find these tables beside those of the graph.
      assert.deepEqual(
        await trino.run('SELECT number, name, judged, broken FROM lake.ekg_judged.rule ORDER BY number'),
        [
          [1, 'Small', 9, 3],
          [2, 'Large', 0, 0],
        ],
      );
      assert.deepEqual(
        await trino.run(
          'SELECT rule, count(*), count(DISTINCT entity_id) FROM lake.ekg_judged.rule_violation GROUP BY rule',
        ),
        [[1, 3, 3]],
      );
      const judge = () => runCommand(['rules', 'graph.entity.yaml', '--format', 'json'], folder);
      await write({
        'graph.entity.yaml': graph(
          small + rule('Misspelt', 'sql: m < 2') + large + rule('In Trino', 'sql: "n = try_cast(\'1\' AS integer)"'),
        ),
      });
      const { code, stdout, stderr } = await judge();
      assert.equal(code, 1, stderr);
      const [again, misspelt, refused, own] = JSON.parse(stdout) as RuleResult[];
      assert.deepEqual([again?.judged, again?.broken, again?.error], [9, 3, undefined], stdout);
      assert.match(misspelt?.error ?? '', /'m'/u);
      assert.match(refused?.error ?? '', tooLarge);
      assert.deepEqual([own?.judged, own?.broken, own?.error], [9, 6, undefined], stdout);
      assert.match(again?.sql ?? '', /"lake"\."ekg_judged__/u);
      const schemas = (await trino.run('SHOW SCHEMAS FROM lake')).map(([name]) => String(name));
      for (const name of schemas.filter((each) => each.startsWith('ekg_judged__'))) {
        await trino.run(`DROP SCHEMA lake.${name} CASCADE`);
      }
      const gone = await judge();
      assert.equal(gone.code, 1);
      assert.match(gone.stderr, /not in the schema \S*ekg_judged of shop any more[^]*Import the entity graph again/u);
    });
  });
});
