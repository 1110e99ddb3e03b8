import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { sourcesFile } from './csv-import-order.ts';
import type { GraphMeasurement, GraphOrder } from './graph-import-order.ts';
import { inProcess } from './in-process.ts';
import { median, printResults } from './measure.ts';
import { handWrittenLog, logGraphFile, logRows } from './row-correlation-order.ts';

const events = isQuick ? 1_000_000 : 10_000_000;
const rounds = 3;

/** Imports an event log whose rows name further entities (`correlatesWith`), compared with a hand-written script. */
export async function run(): Promise<BenchResult[]> {
  const folder = await folderWith({ 'shop.entity.yaml': logGraphFile, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/log.csv': '' });
    const scratch = await openScratch();
    await scratch.run(`COPY (${logRows(events)}) TO '${join(folder, 'data', 'log.csv')}'`);
    await scratch.close();
    const scripts: GraphMeasurement[] = [];
    const imports: GraphMeasurement[] = [];
    for (let round = 0; round < rounds; round++) {
      scripts.push(await measured({ work: handWrittenLog(folder), folder }));
      imports.push(await measured({ work: 'import', folder }));
    }
    assert.deepEqual(imports[0]?.totals, scripts[0]?.totals, 'Import and script build different tables.');
    const correlations = imports[0]?.totals['correlations'] ?? 0;
    const name = `Import of ${events / 1e6} M events with ${correlations / 1e6} M correlations named by rows`;
    return [
      compared(name, 's', 1.3, imports, scripts, 'seconds'),
      compared(`${name}, peak resident memory`, 'MB', 2, imports, scripts, 'megabytes'),
    ];
  } finally {
    await removeFolder(folder);
  }
}

function measured(order: GraphOrder): Promise<GraphMeasurement> {
  return inProcess('graph-import-process.ts', order);
}

function compared(
  name: string,
  unit: string,
  limit: number,
  imports: readonly GraphMeasurement[],
  scripts: readonly GraphMeasurement[],
  kind: 'seconds' | 'megabytes',
): BenchResult {
  const value = median(imports.map((each) => each[kind]));
  const floor = median(scripts.map((each) => each[kind]));
  const ratio = value / floor;
  return { name, value, unit, floor, ratio, goal: `≤ ${limit} × a hand-written DuckDB script`, ok: ratio <= limit };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
