import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, sourcesFile, ticketRows, type ImportMeasurement, type ImportOrder } from './csv-import-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, median, printResults, ratioBounds } from './measure.ts';

const million = 1_000_000;
/** The second size, in three rounds. */
const more = isQuick ? 0 : 10 * million;

/** Imports rows of ten CSV columns with change timestamps, compared with a hand-written script. */
export async function run(): Promise<BenchResult[]> {
  const small = await measuredSize(million, 5);
  const results = [
    duration('CSV import, 1 M rows × 10 columns', small, { aim: 0.75, limit: 1.5 }),
    memory('CSV import, 1 M rows × 10 columns', small),
  ];
  if (more === 0) return results;
  const large = await measuredSize(more, 3);
  const name = `CSV import, ${more / million} M rows × 10 columns`;
  const growth =
    median(large.imports.map(({ seconds }) => seconds)) / median(small.imports.map(({ seconds }) => seconds));
  const limit = (1.5 * more) / million;
  const peak = memory(name, large);
  return [
    ...results,
    duration(name, large, { aim: 0.7, limit: 1.3 }),
    // The built program needs less than 1,000 MB; here modules are compiled on loading.
    { ...peak, goal: '≤ 1,200 MB', ok: peak.value <= 1200 },
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

function duration(
  name: string,
  { imports, scripts }: MeasuredSize,
  bounds: { readonly aim: number; readonly limit: number },
): BenchResult {
  const seconds = (all: readonly ImportMeasurement[]): number[] => all.map((each) => each.seconds);
  const compared = besideFloor(seconds(imports), seconds(scripts));
  return { name, unit: 's', ...compared, ...ratioBounds(compared.ratio, bounds, 'a hand-written DuckDB script') };
}

function memory(name: string, { imports, scripts }: MeasuredSize): BenchResult {
  const peaks = (all: readonly ImportMeasurement[]): number[] => all.map(({ megabytes }) => megabytes);
  const compared = besideFloor(peaks(imports), peaks(scripts));
  return {
    ...{ name: `${name}, peak resident memory`, unit: 'MB', ...compared },
    ...{ goal: '≤ 2 × a hand-written DuckDB script', ok: compared.ratio <= 2 },
  };
}

function measured(order: ImportOrder): Promise<ImportMeasurement> {
  return inProcess('csv-import-process.ts', order);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
