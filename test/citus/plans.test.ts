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

  /** Whether the rows of the query go through the coordinator. */
  const goesThrough = ({ plan }: FillPlan): boolean => /pull to coordinator/u.test(plan);
  const told = (plans: readonly FillPlan[]): readonly string[] => plans.map(({ sql, plan }) => `${sql}\n${plan}`);
  const isStaging = ({ table }: FillPlan): boolean =>
    /"(?:element|entities|relationship)_\d+(?:_identity)?"$/u.test(table);
  /** Queries of one table that is neither local nor a reference table. */
  const readsOneTable = ({ sql }: FillPlan): boolean =>
    [...sql.matchAll(/FROM "public"\."(?:customers|orders|lines)"/gu)].length === 1;
  /** The plan nodes whose rows are sent to a table of the coordinator. */
  const sent = ({ plan }: FillPlan): readonly string[] =>
    [...plan.matchAll(/-> {2}Task\n\s*Node: .*\n\s*-> {2}(.*)$/gmu)].map(([, what = '']) => what);

  const names = ['relations of all directions', 'orders of several kinds', 'paths', 'entities with values over time'];
  const graphs = Object.entries({ ...ruleGraphs, ...laterRuleGraphs, ...linkedGraphs }).filter(
    ([name]) => names.includes(name) || Object.hasOwn(linkedGraphs, name),
  );

  for (const [name, graph] of graphs) {
    it(`send no rows through the coordinator: ${name}`, async function () {
      this.timeout(900_000);
      const plans = await plansOf(graph, ', timeZone: Europe/Berlin');
      const staging = plans.filter((each) => isStaging(each) && readsOneTable(each));
      assert.ok(staging.length > 0);
      assert.deepEqual(
        told(staging.filter((each) => goesThrough(each) || each.plan.includes('Distributed Subplan'))),
        [],
      );
      const ofCoordinator = plans.filter(({ isLocal }) => isLocal);
      assert.ok(ofCoordinator.length > 10);
      assert.deepEqual(told(ofCoordinator.filter((each) => sent(each).some((what) => !/Aggregate$/u.test(what)))), []);
      const ofBuild = plans.filter((each) => !isStaging(each) && !each.isLocal);
      assert.ok(ofBuild.length > 15);
      assert.deepEqual(told(ofBuild.filter(goesThrough)), []);
      // All nodes get a table of one row for each range.
      const broadcast = ofBuild.flatMap(({ plan }) =>
        [...plan.matchAll(/Distributed Subplan \S+\n\s*->\s+(.*)$/gmu)].map(([, what = '']) => what),
      );
      assert.deepEqual(
        broadcast.filter((what) => !/on \w+_(?:bounds_\d+|values_\d+|offsets)\b|^Aggregate$/u.test(what)),
        [],
      );
    });
  }

  it('show rows that go through the coordinator', async () => {
    const plans = await explainFills(async () => {
      await server.query(
        database,
        `CREATE TABLE ranked AS SELECT id, 1::bigint AS rank FROM orders WITH NO DATA;
SELECT create_distributed_table('ranked', 'id');
INSERT INTO ranked SELECT id, row_number() OVER (ORDER BY at) AS rank FROM orders`,
      );
      await server.query(database, 'CREATE TABLE copied AS SELECT id FROM orders');
      await server.query(database, 'CREATE TABLE counted AS SELECT count(*) FROM orders');
    });
    const [ranked, copied, counted] = plans;
    assert.ok(ranked && goesThrough(ranked), ranked?.plan);
    assert.ok(copied && counted);
    assert.match(sent(copied).join(), /^Seq Scan on orders_\d+ orders$/);
    assert.deepEqual([sent(counted), plans.map(({ isLocal }) => isLocal)], [['Aggregate'], [false, true, true]]);
  });
});
