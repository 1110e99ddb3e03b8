import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { countedTables } from '../server/src/graph-schema/graph-schema.ts';
import { importMemoryLimits } from '../server/src/import/memory-limit.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { createBuildDatabase } from '../server/src/store/duckdb-store.ts';
import type { GraphMeasurement, GraphOrder } from './graph-import-order.ts';
import { forgetImports } from './forget-imports.ts';
import { answerOrder, peakMegabytes } from './in-process.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

answerOrder(async ({ work, folder }: GraphOrder): Promise<GraphMeasurement> => {
  if (work === 'import') await forgetImports(folder);
  const started = performance.now();
  const totals = await (work === 'import' ? importShop(folder) : runScript(folder, work));
  return { seconds: (performance.now() - started) / 1000, megabytes: peakMegabytes(), totals };
});

async function importShop(folder: string): Promise<GraphMeasurement['totals']> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'shop.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const summary = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (summary.status !== 'imported') throw new Error(summary.error.message);
  return { ...summary.totals };
}

/** With the settings of the import's database, into a file too. */
async function runScript(folder: string, statements: readonly string[]): Promise<GraphMeasurement['totals']> {
  const temporaryFolder = join(folder, 'script');
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder);
  const path = join(temporaryFolder, 'graph.duckdb');
  const database = await createBuildDatabase({ path, temporaryFolder, memoryLimits: importMemoryLimits() });
  try {
    for (const statement of statements) await database.run(statement);
    const counts = Object.entries(countedTables).map(([name, table]) => `(SELECT count(*) FROM ${table}) AS "${name}"`);
    const [row = {}] = await database.query(`SELECT ${counts.join(', ')}`);
    return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)]));
  } finally {
    await database.close();
  }
}
