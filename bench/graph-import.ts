import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { sourcesFile } from './csv-import-order.ts';
import { type GraphMeasurement, type GraphOrder, fileRows, graphFile, handWrittenGraph } from './graph-import-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';

const wantedEvents = isQuick ? 1_000_000 : 5_000_000;
const rounds = isQuick ? 3 : 5;

/** Imports three elements and two relationships, one with a cross table, compared with a hand-written script. */
export async function run(): Promise<BenchResult[]> {
  const folder = await folderWith({ 'shop.entity.yaml': graphFile, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/customer.csv': '' });
    const scratch = await openScratch();
    for (const [name, sql] of Object.entries(fileRows(wantedEvents))) {
      await scratch.run(`COPY (${sql}) TO '${join(folder, 'data', `${name}.csv`)}'`);
    }
    await scratch.close();
    const scripts: GraphMeasurement[] = [];
    const imports: GraphMeasurement[] = [];
    for (let round = 0; round < rounds; round++) {
      scripts.push(
        await inProcess('graph-import-process.ts', { work: handWrittenGraph(folder), folder } satisfies GraphOrder),
      );
      imports.push(await inProcess('graph-import-process.ts', { work: 'import', folder } satisfies GraphOrder));
    }
    assert.deepEqual(imports[0]?.totals, scripts[0]?.totals, 'Import and script build different tables.');
    const seconds = besideFloor(
      imports.map((each) => each.seconds),
      scripts.map((each) => each.seconds),
    );
    const events = imports[0]?.totals['events']?.toLocaleString('en') ?? '';
    const name = `Import of ${events} events of three elements, two relationships`;
    const megabytes = besideFloor(
      imports.map((each) => each.megabytes),
      scripts.map((each) => each.megabytes),
    );
    const bounds = ratioBounds(seconds.ratio, { aim: 0.9, limit: 1.5 }, 'a hand-written DuckDB script');
    return [
      { name, unit: 's', ...seconds, ...bounds },
      {
        ...{ name: `${name}, peak resident memory`, unit: 'MB', ...megabytes },
        ...{ goal: '≤ 2 × the script', ok: megabytes.ratio <= 2 },
      },
    ];
  } finally {
    await removeFolder(folder);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
