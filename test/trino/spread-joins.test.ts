import assert from 'node:assert/strict';
import { withProject } from '../support/import-text.ts';
import { startTrinoProxy } from '../support/trino-proxy.ts';
import { type TestTrino, startTrino } from '../support/trino-server.ts';
import { createVisits, visitSources } from '../support/trino-visits.ts';

describe('rules inside a Trino that lets only some users set join_max_broadcast_table_size', () => {
  let trino: TestTrino;

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    const property = 'join_max_broadcast_table_size';
    const system_session_properties = [{ user: 'bob', property, allow: false }, { allow: true }];
    // Owners of catalogs may create them.
    trino = await startTrino({ rules: { catalogs: [{ allow: 'owner' }], system_session_properties } });
  });

  after(() => trino.stop());

  it('are judged without it where it is refused, with the same results', async function () {
    this.timeout(600_000);
    const visits = await createVisits(trino);
    const proxy = await startTrinoProxy(trino);
    const withProperty: boolean[] = [];
    proxy.onStatement = async ({ sql, headers }) => {
      const isSpread = String(headers['x-trino-session']).includes('join_max_broadcast_table_size=1B');
      if (isSpread || /\bjudged AS \(/u.test(sql)) withProperty.push(isSpread);
    };
    const graph = (schema: string): string => `version: 1
name: Visits
dataSource: shop
elements:
  - { activityName: Visit, dataObject: visit, key: k, entityType: visit, startTimestamp: at }
rules:
  - { name: Visits once, each: { entityType: visit }, expect: [{ activity: Visit, count: 1 }] }
  - { name: Visits again, each: { entityType: visit }, expect: [{ activity: Visit, count: "2.." }] }
import: { engine: source, catalog: lake, schema: ${schema} }
`;
    const imported = async (user: string): Promise<unknown> => {
      withProperty.length = 0;
      const files = {
        'entity-sources.yaml': visitSources(proxy.port, `user: ${user}, catalog: lake, schemas: ${visits}`),
        'graph.entity.yaml': graph(`ekg_${user}`),
      };
      return withProject(files, async (project) => {
        const { status, error, rules = [] } = await project.import();
        assert.equal(status, 'imported', error?.message);
        return rules.map(({ sql: _, ...result }) => result);
      });
    };
    try {
      const expected = await imported('ann');
      assert.ok(withProperty.length > 3 && withProperty.every((isSpread) => isSpread));
      assert.deepEqual(await imported('bob'), expected);
      // The first statement is refused. Those that judge the two rules and write what breaks one do without it.
      assert.deepEqual(withProperty, [true, false, false, false]);
    } finally {
      await proxy.close();
    }
  });
});
