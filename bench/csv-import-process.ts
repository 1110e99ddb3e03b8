import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { countedTables, totalsOf } from '../server/src/graph-schema/graph-schema.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { createBuildDatabase } from '../server/src/store/duckdb-store.ts';
import type { ImportMeasurement, ImportOrder, ImportTotals } from './csv-import-order.ts';
import { handWrittenScript } from './csv-import-script.ts';
import { forgetImports } from './forget-imports.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

process.once('message', ({ work, folder }: ImportOrder) => {
  void forgetImports(folder)
    .then(() => measure(() => (work === 'import' ? importTickets(folder) : runScript(folder))))
    .then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

async function measure(work: () => Promise<ImportTotals>): Promise<ImportMeasurement> {
  const started = performance.now();
  const totals = await work();
  const seconds = (performance.now() - started) / 1000;
  return { seconds, megabytes: (process.resourceUsage().maxRSS * 1024) / 1e6, totals };
}

async function importTickets(folder: string): Promise<ImportTotals> {
  const projectContext = {
    ...noSecrets,
    workspaceFolderOf: () => folder,
  };
  const file = await readGraphFile(join(folder, 'ticket.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const summary = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (summary.status !== 'imported') throw new Error(summary.error.message);
  return summary.totals;
}

/** With the settings of the import's database, into a file too. */
async function runScript(folder: string): Promise<ImportTotals> {
  const temporaryFolder = join(folder, 'script');
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder);
  const database = await createBuildDatabase({ path: join(temporaryFolder, 'graph.duckdb'), temporaryFolder });
  try {
    for (const statement of handWrittenScript(join(folder, 'data', 'ticket.csv'))) await database.run(statement);
    const counted = Object.entries(countedTables).map(
      ([name, table]) => `(SELECT count(*) FROM ${table}) AS "${name}"`,
    );
    const [counts = {}] = await database.query(`SELECT ${counted.join(', ')}`);
    return totalsOf((_, name) => Number(counts[name]));
  } finally {
    await database.close();
  }
}
