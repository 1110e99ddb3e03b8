import assert from 'node:assert/strict';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { randomSplit } from '../support/random-split-graphs.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';
import { assertEqualGraphs, createTables, importCopies, splitKinds } from '../support/split-sources.ts';

/** docs/semantics.md#16-several-data-sources; 200 seeds in `npm run soak -- splits`. */
describe('random graphs split at random over data sources', () => {
  let server: TestPostgres;
  before(async () => {
    server = await sharedPostgres();
  });

  const all = Object.keys(splitKinds);
  it('equal the unsplit graph, row by row', async () => {
    for (const seed of soakSeeds(3)) {
      const { tables, graph, split } = randomSplit(seed, all);
      const hint = `seed ${seed}: ${JSON.stringify({ split, graph })}`;
      const unsplit = Object.fromEntries(Object.keys(split).map((name) => [name, 'postgresql']));
      const database = await createTables(server, tables);
      const [whole, parts] = await Promise.all(
        [unsplit, split].map((each) => importCopies(server, tables, graph, each, database)),
      );
      assert.ok(whole && parts);
      assert.deepEqual(parts.summary.relationships, whole.summary.relationships, hint);
      assertEqualGraphs(parts.tables, whole.tables, hint);
      countSoak();
    }
  });
});
