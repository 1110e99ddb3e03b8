import assert from 'node:assert/strict';
import { sharedCitus } from '../support/citus-cluster.ts';
import { type FillPlan, explainFills } from '../support/citus-plans.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import { postgresqlSources, withProject } from '../support/import-text.ts';
import type { PostgresAccess } from '../support/postgres.ts';
import { laterRuleGraphs, linkedGraphs, ruleGraphs, shop, distributeShop } from '../support/shop-graphs.ts';

describe('plans of a build on Citus', () => {
  let server: PostgresAccess;
  let database: string;

  before(async function () {
    this.timeout(600_000);
    const { coordinator, createDatabase } = await sharedCitus();
    [server, database] = [coordinator, await createDatabase()];
    await server.query(database, shop);
    for (const statement of distributeShop) await server.query(database, statement);
  });

  async function plansOf(graph: string, settings = ''): Promise<readonly FillPlan[]> {
    const sources = postgresqlSources(server, database, settings);
    return withProject(
      { 'entity-sources.yaml': sources, 'graph.entity.yaml': `${graph}${sourceSettings}` },
      (project) =>
        explainFills(async () => {
          const { status, error } = await project.import();
          assert.equal(status, 'imported', error?.message);
        }),
    );
  }

  /** Whether rows go through the coordinator: as those of the query, or as those of a subquery that all nodes get. */
  const goesThrough = ({ plan }: FillPlan): boolean => /pull to coordinator/u.test(plan);

  const names = ['relations of all directions', 'orders of several kinds', 'paths', 'entities with values over time'];
  const graphs = Object.entries({ ...ruleGraphs, ...laterRuleGraphs, ...linkedGraphs }).filter(
    ([name]) => names.includes(name) || Object.hasOwn(linkedGraphs, name),
  );

  for (const [name, graph] of graphs) {
    it(`have no rows that go through the coordinator: ${name}`, async function () {
      this.timeout(900_000);
      const plans = await plansOf(graph, ', timeZone: Europe/Berlin');
      const ofBuild = plans.filter(
        ({ table }) => !/"(?:element|entities|relationship)_\d+(?:_identity)?"$/u.test(table),
      );
      assert.ok(ofBuild.length > 15);
      assert.deepEqual(
        ofBuild.filter(goesThrough).map(({ sql, plan }) => `${sql}\n${plan}`),
        [],
      );
      // What all nodes get is one row a range.
      const broadcast = ofBuild.flatMap(({ plan }) =>
        [...plan.matchAll(/Distributed Subplan \S+\n\s*->\s+(.*)$/gmu)].map(([, what = '']) => what),
      );
      assert.deepEqual(
        broadcast.filter((what) => !/on \w+_(?:bounds_\d+|values_\d+|offsets)\b|^Aggregate$/u.test(what)),
        [],
      );
    });
  }

  it('tell of rows that do', async () => {
    const [plan] = await explainFills(async () => {
      await server.query(
        database,
        `CREATE TABLE ranked AS SELECT id, 1::bigint AS rank FROM orders WITH NO DATA;
SELECT create_distributed_table('ranked', 'id');
INSERT INTO ranked SELECT id, row_number() OVER (ORDER BY at) AS rank FROM orders`,
      );
    });
    assert.ok(plan && goesThrough(plan), plan?.plan);
  });
});
