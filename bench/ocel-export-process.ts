import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exportGraph } from '../server/src/operations/stored-graphs/export-graph.ts';
import { storedGraph } from '../server/src/operations/stored-graphs/stored-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { openStore } from '../server/src/store/duckdb-store.ts';
import { answerOrder, peakMegabytes } from './in-process.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

export interface ExportOrder {
  readonly folder: string;
  /** An export format, or DuckDB's COPY of the same tables as JSON. */
  readonly work: 'ocel-json' | 'ocel-xml' | 'ocel-sqlite' | 'copy';
}

export interface ExportMeasurement {
  readonly seconds: number;
  readonly megabytes: number;
}

answerOrder(async ({ folder, work }: ExportOrder): Promise<ExportMeasurement> => {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'ticket.entity.yaml'), projectContext);
  const output = join(folder, 'out');
  await rm(output, { recursive: true, force: true });
  const store = await storedGraph(file, projectContext);
  const started = performance.now();
  if (work === 'copy') await copyTables(store, output);
  else await exportGraph(file, projectContext, { format: work, output, signal: new AbortController().signal });
  return { seconds: (performance.now() - started) / 1000, megabytes: peakMegabytes() };
});

async function copyTables(path: string, output: string): Promise<void> {
  await mkdir(output);
  const store = await openStore(path, { temporaryFolder: output, memoryLimit: '1GB' });
  const events = 'event JOIN properties_1 ON properties_1.event_id = event.id';
  await store.run(`COPY (SELECT * FROM ${events}) TO '${join(output, 'event.json')}' (FORMAT json)`);
  await store.run(`COPY event_entity TO '${join(output, 'event_entity.json')}' (FORMAT json)`);
  await store.run(`COPY entity TO '${join(output, 'entity.json')}' (FORMAT json)`);
  await store.close();
}
