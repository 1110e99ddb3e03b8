import assert from 'node:assert/strict';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { withGraph, withProject } from '../support/import-text.ts';
import { randomGraph } from '../support/random-graphs.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';
import { wholeGraph } from '../support/whole-graph.ts';

/** One of each size of `randomGraph`; the soak has 200. */
const ordinary = 4;

describe('an import in memory, for tests', () => {
  it('has the tables, counts and warnings of a stored import: random graphs', async () => {
    for (const seed of soakSeeds(ordinary)) {
      const files = randomGraph(seed);
      const stored = await withProject(files, async (project) => [
        saidOf(await project.import()),
        await wholeGraph(project),
      ]);
      const inMemory = await withGraph(
        files,
        async (project) => [saidOf(await project.import()), await wholeGraph(project)],
        { map: true },
      );
      assert.deepEqual(inMemory, stored, `seed ${seed}`);
      countSoak();
    }
  });

  it('has the rules, measures and expectations of a stored import', async () => {
    const expected = { 'graph.entity.yaml': ruledGraph, 'entity-sources.yaml': sources, 'orders.csv': orders };
    const stored = await withProject(expected, async (project) => [
      saidOf(await project.import()),
      await wholeGraph(project),
    ]);
    const inMemory = await withGraph(
      expected,
      async (project) => [saidOf(await project.import()), await wholeGraph(project)],
      { map: true },
    );
    assert.deepEqual(inMemory, stored);
  });

  it('fails like a stored import, and can be repeated', async () => {
    const files = { 'graph.entity.yaml': ruledGraph, 'entity-sources.yaml': sources, 'orders.csv': 'id,at\n1,never\n' };
    const stored = await withProject(files, async (project) => saidOf(await project.import()));
    await withGraph(files, async (project) => {
      assert.deepEqual(saidOf(await project.import()), stored);
      await project.write({ 'orders.csv': orders });
      assert.equal((await project.import()).status, 'imported');
    });
  });
});

const sources = 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n';
const orders = 'id,at\n1,2024-01-01 10:00:00\n2,2024-01-02 10:00:00\n2,2024-01-03 10:00:00\n';
const ruledGraph = `version: 1
name: Orders
dataSource: files
elements:
  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, expect: { unique: [id] } }
rules:
  - { name: Once, each: { entityType: order }, expect: [{ activity: Place, count: "1" }] }
measures:
  - { name: Lead time, each: { entityType: order }, duration: {}, target: { max: { atMost: 1h } } }
`;

/** All but durations, paths and steps, of which an import in memory has fewer. */
function saidOf({ steps: _, durationMs: __, store: ___, error, ...said }: ImportSummary): unknown {
  return { ...said, error: error && [error.code, error.message, error.remedy, error.range] };
}
