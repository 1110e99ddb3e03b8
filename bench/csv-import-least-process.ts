import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStaging } from '../server/src/import/open-staging.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { type BuildDatabase, createBuildDatabase } from '../server/src/store/duckdb-store.ts';
import { noSecrets } from '../test/support/no-secrets.ts';
import { type LeastMeasurement, type LeastOrder, partsOf } from './csv-import-least-order.ts';
import { leastStatements } from './csv-import-least-script.ts';
import { handWrittenScript } from './csv-import-script.ts';
import { forgetImports } from './forget-imports.ts';
import { answerOrder } from './in-process.ts';
import { measureStatements, processorSeconds } from './statement-costs.ts';

answerOrder(async ({ work, folder }: LeastOrder): Promise<LeastMeasurement> => {
  await forgetImports(folder);
  const own = join(folder, work);
  await rm(own, { recursive: true, force: true });
  await mkdir(own);
  const csv = join(folder, 'data', 'ticket.csv');
  const statements = measureStatements();
  const [started, before] = [performance.now(), process.cpuUsage()];
  if (work === 'import') await importTickets(folder);
  if (work === 'least') {
    const place = { path: own, rows: join(own, 'rows.duckdb'), store: join(own, 'graph.duckdb') };
    await runAll(await openStaging(place), leastStatements(csv));
  }
  if (work === 'script') {
    // With the settings of the import's database, into a file too.
    const database = await createBuildDatabase({ path: join(own, 'graph.duckdb'), temporaryFolder: own });
    await runAll(database, handWrittenScript(csv));
  }
  return {
    seconds: (performance.now() - started) / 1000,
    processorSeconds: processorSeconds(before),
    parts: partsOf(statements),
  };
});

async function runAll(database: BuildDatabase, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await database.run(sql);
  await database.close();
}

async function importTickets(folder: string): Promise<void> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'ticket.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const summary = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (summary.status !== 'imported') throw new Error(summary.error.message);
}
