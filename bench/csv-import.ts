import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, sourcesFile, ticketRows, type ImportMeasurement, type ImportOrder } from './csv-import-order.ts';
import { median, printResults } from './measure.ts';

/** Importing 1,000,000 rows × 10 columns of CSV with change timestamps against a hand-written script for the same tables. */
export async function run(): Promise<BenchResult[]> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/ticket.csv': '' });
    const scratch = await openScratch();
    await scratch.run(`COPY (${ticketRows}) TO '${join(folder, 'data', 'ticket.csv')}'`);
    await scratch.close();
    const scripts: ImportMeasurement[] = [];
    const imports: ImportMeasurement[] = [];
    // In turns, so that a slow moment of the machine meets both.
    for (let round = 0; round < 5; round++) {
      scripts.push(await inProcess({ work: 'script', folder }));
      imports.push(await inProcess({ work: 'import', folder }));
    }
    assert.deepEqual(imports[0]?.totals, scripts[0]?.totals, 'Import and script build different tables.');
    return [
      compared('CSV import, 1 M rows × 10 columns', 's', 1.5, imports, scripts, 'seconds'),
      compared('CSV import, 1 M rows × 10 columns, peak resident memory', 'MB', 2, imports, scripts, 'megabytes'),
    ];
  } finally {
    await removeFolder(folder);
  }
}

function compared(
  name: string,
  unit: string,
  limit: number,
  imports: readonly ImportMeasurement[],
  scripts: readonly ImportMeasurement[],
  kind: 'seconds' | 'megabytes',
): BenchResult {
  const value = median(imports.map((each) => each[kind]));
  const floor = median(scripts.map((each) => each[kind]));
  const ratio = value / floor;
  return { name, value, unit, floor, ratio, goal: `≤ ${limit} × a hand-written DuckDB script`, ok: ratio <= limit };
}

/** Each measurement has a process of its own, so that what one leaves in memory does not count for the next. */
async function inProcess(order: ImportOrder): Promise<ImportMeasurement> {
  const child = fork(fileURLToPath(new URL('csv-import-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  });
  const failure = once(child, 'exit').then(([code]) => {
    throw new Error(`The measured process ended with code ${String(code)}.`);
  });
  child.send(order);
  const [measurement] = (await Promise.race([once(child, 'message'), failure])) as [ImportMeasurement];
  await failure.catch(() => undefined);
  return measurement;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
