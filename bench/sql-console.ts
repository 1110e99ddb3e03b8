import { runSql } from '../server/src/event-graph/run-sql.ts';
import { graphMemoryLimit, openConfinedGraphStore } from '../server/src/operations/stored-graphs/open-graph-store.ts';
import { csvSources, graphText, withProject } from '../test/support/import-text.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor } from './measure.ts';

const runs = 301;
const goal = 1.3;

/** `SELECT 1` in the SQL console: each run has a connection of its own, beside a connection that is kept. */
export async function run(): Promise<readonly BenchResult[]> {
  const element = '  - { activityName: Order, dataObject: orders, key: id, startTimestamp: at }\n';
  const files = { 'orders.csv': 'id,at\n1,2024-01-01 10:00\n', 'entity-sources.yaml': csvSources() };
  return withProject({ ...files, 'graph.entity.yaml': graphText(element) }, async (project) => {
    const imported = await project.import();
    if (imported.store === undefined) throw new Error(imported.error?.message);
    const store = await openConfinedGraphStore(imported.store, { memoryLimit: graphMemoryLimit });
    const kept = await store.connect();
    const ownTimes: number[] = [];
    const keptTimes: number[] = [];
    for (let count = 0; count < runs; count += 1) {
      keptTimes.push(await timeOf(() => runSql(kept, question, {})));
      ownTimes.push(
        await timeOf(async () => {
          const own = await store.connect();
          await runSql(own, question, {});
          await own.close();
        }),
      );
    }
    await kept.close();
    store.close();
    const result = besideFloor(ownTimes, keptTimes);
    return [
      {
        ...{ name: 'SELECT 1 in the SQL console', unit: 'ms', ...result },
        goal: `≤ ${goal} × a connection that is kept, ${runs} runs in turns`,
        ok: result.ratio <= goal,
      },
    ];
  });
}

const question = { sql: 'SELECT 1', limit: 1000 };

/** Milliseconds. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
