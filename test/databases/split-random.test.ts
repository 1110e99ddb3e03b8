import assert from 'node:assert/strict';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { randomSplit } from '../support/random-split-graphs.ts';
import { countSoak, soakAmount } from '../support/soak.ts';
import { assertEqualGraphs, createTables, importCopies, splitKinds } from '../support/split-sources.ts';

/** docs/semantics.md#16-several-data-sources; 200 seeds in `npm run soak -- splits`. */
describe('random graphs split at random over data sources', () => {
  let server: TestPostgres;
  before(async () => {
    server = await sharedPostgres();
  });

  const all = Object.keys(splitKinds);
  const only = process.env['ENTITY_GRAPH_SPLIT_SEED'];
  const seeds = only === undefined ? soakAmount('splits', 20) : 1;
  for (let index = 0; index < seeds; index++) {
    const seed = only === undefined ? index : Number(only);
    it(`equal the unsplit graph, row by row: seed ${seed}`, async () => {
      const { tables, graph, split } = randomSplit(seed, all);
      const hint = `ENTITY_GRAPH_SPLIT_SEED=${seed}\n${JSON.stringify({ split, graph })}`;
      let wrong = 1;
      try {
        const unsplit = Object.fromEntries(Object.keys(split).map((name) => [name, 'postgresql']));
        const database = await createTables(server, tables);
        const [whole, parts] = await Promise.all(
          [unsplit, split].map((each) => importCopies(server, tables, graph, each, database)),
        );
        assert.ok(whole && parts);
        assert.deepEqual(parts.summary.relationships, whole.summary.relationships, hint);
        assertEqualGraphs(parts.tables, whole.tables, hint);
        wrong = 0;
      } finally {
        countSoak('splits', 1, wrong);
      }
    });
  }
});
