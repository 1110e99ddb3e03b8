import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { entityFile, sourcesFile, ticketRows } from './csv-import-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, median, printResults } from './measure.ts';
import type { ExportMeasurement, ExportOrder } from './ocel-export-process.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

/**
 * Exports a million events with six attributes each as OCEL JSON, compared with DuckDB's COPY of the same tables;
 * memory for four times the size.
 */
export async function run(): Promise<BenchResult[]> {
  const million = await importedFolder(513_000);
  const four = await importedFolder(2_052_000);
  try {
    const floors: ExportMeasurement[] = [];
    const exports: ExportMeasurement[] = [];
    for (let round = 0; round < 3; round++) {
      floors.push(await measured({ folder: million.folder, work: 'copy' }));
      exports.push(await measured({ folder: million.folder, work: 'ocel-json' }));
    }
    const large = await measured({ folder: four.folder, work: 'ocel-json' });
    const seconds = besideFloor(
      exports.map((each) => each.seconds),
      floors.map((each) => each.seconds),
    );
    const megabytes = median(exports.map((each) => each.megabytes));
    const perSecond = million.events / seconds.value;
    return [
      {
        name: `OCEL JSON of ${million.events.toLocaleString('en')} events`,
        unit: 's',
        ...seconds,
        goal: `≥ 150,000 events/s (${Math.round(perSecond).toLocaleString('en')})`,
        ok: perSecond >= 150_000,
      },
      {
        name: `OCEL JSON of ${four.events.toLocaleString('en')} events, peak resident memory`,
        value: large.megabytes,
        unit: 'MB',
        floor: megabytes,
        ratio: large.megabytes / megabytes,
        goal: '≤ 1.5 × that of a quarter of the events',
        ok: large.megabytes <= 1.5 * megabytes,
      },
      ...(await others(million)),
    ];
  } finally {
    await Promise.all([removeFolder(million.folder), removeFolder(four.folder)]);
  }
}

async function others({ folder, events }: ImportedFolder): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const work of ['ocel-xml', 'ocel-sqlite'] as const) {
    const { seconds } = await measured({ folder, work });
    const goal = `no goal (${Math.round(events / seconds).toLocaleString('en')} events/s)`;
    results.push({
      name: `${work} of ${events.toLocaleString('en')} events`,
      value: seconds,
      unit: 's',
      goal,
      ok: true,
    });
  }
  return results;
}

function measured(order: ExportOrder): Promise<ExportMeasurement> {
  return inProcess('ocel-export-process.ts', order);
}

interface ImportedFolder {
  readonly folder: string;
  readonly events: number;
}

async function importedFolder(rows: number): Promise<ImportedFolder> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile, 'entity-sources.yaml': sourcesFile });
  await writeFiles(folder, { 'data/ticket.csv': '' });
  const scratch = await openScratch();
  await scratch.run(`COPY (${ticketRows(rows)}) TO '${join(folder, 'data', 'ticket.csv')}'`);
  await scratch.close();
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'ticket.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const summary = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (summary.status !== 'imported') throw new Error(summary.error.message);
  return { folder, events: summary.totals.events };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
