import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { ImportSummary } from '../../server/src/cli/import-summary.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { runCliMeasured } from '../support/peak-memory.ts';
import { jsonLines } from '../support/run-cli.ts';
import { countSoak, isShortSoak, isSoak } from '../support/soak.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

/** In random key order. `npm test` has a tenth, and a limit that shows whether the memory begins to grow with them. */
const rows = isSoak ? 10_000_000 : 1_000_000;
const limit = isSoak ? 1e9 : 0.5e9;
/** In a short soak ten rows share a key, which is much faster. */
const shape = isShortSoak ? { keys: rows / 10, columns: '' } : { keys: rows, columns: ", 'note ' || i AS note" };

/** Each processor used by DuckDB takes additional memory: the limit holds for two. */
const twoProcessors = ((): readonly string[] => {
  if (availableParallelism() <= 2) return [];
  const { stdout } = spawnSync('sh', ['-c', 'taskset -cp $$'], { encoding: 'utf8' });
  const ranges = /: ([\d,-]+)\s*$/.exec(stdout ?? '')?.[1]?.split(',') ?? [];
  const all = ranges.flatMap((range) => {
    const [from = 0, to = from] = range.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return all.length < 2 ? [] : ['taskset', '-c', all.slice(0, 2).join()];
})();

describe(`${rows / 1e6} million rows`, function () {
  withAllProcessors();
  this.timeout(0);
  let folder = '';
  before(async () => {
    folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'graph.entity.yaml': graphText(
        '  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: all }\n',
      ),
    });
    const temporaryFolder = join(folder, 'spill');
    await mkdir(temporaryFolder);
    const scratch = await openScratch({ temporaryFolder, memoryLimit: '200MB' });
    const query = `SELECT 'K' || (i * 7919) % ${shape.keys} AS id, TIMESTAMP '2020-01-01' + to_seconds((i * 31) % ${rows}) AS at${shape.columns} FROM range(${rows}) AS r(i)`;
    await scratch.run(`COPY (${query}) TO '${join(folder, 'orders.csv')}'`);
    await scratch.close();
    await rm(temporaryFolder, { recursive: true, force: true });
  });
  after(() => removeFolder(folder));

  it(`are imported within ${limit / 1e6} MB`, async () => {
    const args = ['import', 'graph.entity.yaml', '--format', 'json', '--workspace', folder];
    const run = await runCliMeasured(args, { cwd: folder, wrapper: twoProcessors });
    const summary = jsonLines(run).at(-1) as unknown as ImportSummary;
    assert.equal(summary.status, 'imported', JSON.stringify(summary.error) + run.stderr);
    assert.deepEqual([summary.totals.events, summary.totals.entities], [rows, shape.keys]);
    assert.ok(run.peakBytes <= limit, `${Math.round(run.peakBytes / 1e6)} MB were held at most.`);
    countSoak();
    // Node alone uses a tenth: the measured process is the one that did the work.
    assert.ok(run.peakBytes >= limit / 10, `${run.peakBytes} bytes`);
  });
});
