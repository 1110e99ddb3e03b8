import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch, openStore } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { sourcesFile } from './csv-import-order.ts';
import type { GraphMeasurement, GraphOrder } from './graph-import-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, printResults } from './measure.ts';
import { handWrittenLog, handWrittenMap, logGraphFile, logRows } from './row-correlation-order.ts';

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
    const [scripts, maps, imports]: [GraphMeasurement[], GraphMeasurement[], GraphMeasurement[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      scripts.push(await measured({ work: handWrittenLog(folder), folder }));
      maps.push(await measured({ work: handWrittenMap(folder), folder }));
      imports.push(await measured({ work: 'import', folder }));
    }
    for (const { totals } of [...scripts, ...maps])
      assert.deepEqual(imports[0]?.totals, totals, 'They build different tables.');
    await compareMaps(folder);
    const correlations = imports[0]?.totals['correlations'] ?? 0;
    const name = `Import of ${events / 1e6} M events with ${correlations / 1e6} M correlations named by rows`;
    return [
      compared(name, 's', 1.3, imports, maps, 'seconds'),
      compared(`${name}, peak resident memory`, 'MB', 2, imports, maps, 'megabytes'),
      {
        ...compared(`${name}, the script without a process map`, 's', 1.3, imports, scripts, 'seconds'),
        ...{ goal: 'for comparison: the script does less', ok: true },
      },
    ];
  } finally {
    await removeFolder(folder);
  }
}

/** Rejects when the process map of the import differs from that of the script. */
async function compareMaps(folder: string): Promise<void> {
  const graphs = join(folder, '.entity-graph/graphs');
  const path = readdirSync(graphs, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('.duckdb'));
  const columns =
    'entity_type, source_activity, target_activity, steps, round(median, 3) AS median, round(p90, 3) AS p90';
  const rowsOf = async (file: string, where: string): Promise<unknown> => {
    const store = await openStore(file);
    try {
      return await store.query(`SELECT ${columns} FROM process_map_path WHERE ${where} ORDER BY ALL`);
    } finally {
      await store.close();
    }
  };
  const imported = await rowsOf(join(graphs, path ?? ''), 'source_lifecycle IS NULL AND target_lifecycle IS NULL');
  assert.deepEqual(imported, await rowsOf(join(folder, 'script/graph.duckdb'), 'true'));
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
  const both = besideFloor(
    imports.map((each) => each[kind]),
    scripts.map((each) => each[kind]),
  );
  return { name, unit, ...both, goal: `≤ ${limit} × a hand-written DuckDB script`, ok: both.ratio <= limit };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
