import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, sourcesFile, ticketRows, type ImportMeasurement, type ImportOrder } from './csv-import-order.ts';
import { inProcess } from './in-process.ts';
import { median, printResults } from './measure.ts';

const million = 1_000_000;
/** The second size, measured once. */
const more = isQuick ? 0 : 10 * million;

/** Imports rows of ten CSV columns with change timestamps, compared with a hand-written script. */
export async function run(): Promise<BenchResult[]> {
  const small = await measuredSize(million, 5);
  const results = [
    compared('CSV import, 1 M rows × 10 columns', 's', 1.5, small, 'seconds'),
    compared('CSV import, 1 M rows × 10 columns, peak resident memory', 'MB', 2, small, 'megabytes'),
  ];
  if (more === 0) return results;
  const large = await measuredSize(more, 1);
  const name = `CSV import, ${more / million} M rows × 10 columns`;
  const growth =
    median(large.imports.map(({ seconds }) => seconds)) / median(small.imports.map(({ seconds }) => seconds));
  const limit = (1.5 * more) / million;
  const memory = compared(`${name}, peak resident memory`, 'MB', 2, large, 'megabytes');
  return [
    ...results,
    compared(name, 's', 1.3, large, 'seconds'),
    // The built program needs less than 1,000 MB; here modules are compiled on loading.
    { ...memory, goal: '≤ 1,200 MB', ok: memory.value <= 1200 },
    { name: `${name}, growth from 1 M rows`, value: growth, unit: '×', goal: `≤ ${limit} ×`, ok: growth <= limit },
  ];
}

interface MeasuredSize {
  readonly imports: readonly ImportMeasurement[];
  readonly scripts: readonly ImportMeasurement[];
}

async function measuredSize(rows: number, rounds: number): Promise<MeasuredSize> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/ticket.csv': '' });
    const scratch = await openScratch();
    await scratch.run(`COPY (${ticketRows(rows)}) TO '${join(folder, 'data', 'ticket.csv')}'`);
    await scratch.close();
    const scripts: ImportMeasurement[] = [];
    const imports: ImportMeasurement[] = [];
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < rounds; round++) {
      scripts.push(await measured({ work: 'script', folder }));
      imports.push(await measured({ work: 'import', folder }));
    }
    assert.deepEqual(imports[0]?.totals, scripts[0]?.totals, 'Import and script build different tables.');
    return { imports, scripts };
  } finally {
    await removeFolder(folder);
  }
}

function compared(
  name: string,
  unit: string,
  limit: number,
  { imports, scripts }: MeasuredSize,
  kind: 'seconds' | 'megabytes',
): BenchResult {
  const value = median(imports.map((each) => each[kind]));
  const floor = median(scripts.map((each) => each[kind]));
  const ratio = value / floor;
  return { name, value, unit, floor, ratio, goal: `≤ ${limit} × a hand-written DuckDB script`, ok: ratio <= limit };
}

function measured(order: ImportOrder): Promise<ImportMeasurement> {
  return inProcess('csv-import-process.ts', order);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
