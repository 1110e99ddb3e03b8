import assert from 'node:assert/strict';
import { largeGraphColumns, largeTrinoGraph } from '../support/large-trino-graph.ts';
import { type StatementSize, planSizes } from '../support/plan-sizes.ts';
import { sharedTrino } from '../support/trino-server.ts';

describe('statements of a large graph built inside Trino', () => {
  // https://trino.io/docs/476/admin/properties-query-management.html: query.max-stage-count, query.max-length
  it('keep within half of the stages and of the length that Trino accepts, for 60 elements', async function () {
    this.timeout(1_200_000);
    const trino = await sharedTrino();
    const schema = await trino.createSchema();
    await trino.run(`CREATE TABLE lake.${schema}.visit (${largeGraphColumns})`);
    const graph = largeTrinoGraph({ elements: 60, naming: 20, paths: 20, stepsOfPath: 10, entities: 10 });
    // All elements have the property.
    const rule = '{ name: Dear, each: { entityType: order }, expect: [{ sql: b > 1 }] }';
    const planned = await planSizes(trino, schema, `${graph}rules:\n  - ${rule}\n`);
    const judges = ({ sql }: StatementSize): boolean => sql.includes('judged AS (');
    const sizes = planned.filter((size) => !judges(size));
    const most = sizes[0]?.stages ?? 0;
    const longest = Math.max(...planned.map(({ sql }) => sql.length));
    const shown = `${most} stages, ${longest} characters, of ${sizes.length} statements:\n${sizes[0]?.sql}`;
    assert.ok(sizes.length > 40 && most > 10 && most <= 75 && longest <= 500_000, shown);
    // A rule reads a property in one stage for each element that has it.
    const ofRule = planned.filter(judges).map(({ stages }) => stages);
    assert.ok(ofRule.length === 2 && ofRule.every((stages) => stages > 60 && stages <= 90), String(ofRule));
  });
});
