import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { showImportPlan } from '../server/src/operations/imports/show-plan.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { postgresqlSources } from '../test/support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../test/support/postgres.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, printResults } from './measure.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

const graph = (engine: string): string => `version: 1
name: Tickets
dataSource: shop
elements:
  - { activityName: Update Ticket, dataObject: ticket, key: ticket, entityType: ticket, startTimestamp: opened_at, changeTimestamp: updated_at, properties: [state, priority, cost] }
  - { activityName: Join, dataObject: customer, key: id, startTimestamp: since }
relationships:
  - { name: opens, source: Join, target: Update Ticket, mappings: [{ source: id, target: customer }] }
import: { engine: ${engine}, schema: ekg }
`;

const tables = `CREATE TABLE customer AS SELECT i AS id, timestamptz '2019-01-01' + i * interval '1 hour' AS since FROM generate_series(0, 1999) AS i;
  CREATE TABLE ticket AS SELECT 'T' || (i::int8 * 7919 % 50000) AS ticket, timestamptz '2020-01-01' + i * interval '37 seconds' AS opened_at,
    timestamptz '2020-01-01' + i * interval '37 seconds' + (i % 20) * interval '1 hour' AS updated_at, i % 7 AS state, i % 4 AS priority,
    (i * 1.25)::numeric(12,2) AS cost, (i::int8 * 7919 % 50000) % 2000 AS customer FROM generate_series(1, 500000) AS i;
  ANALYZE customer; ANALYZE ticket`;

/**
 * Builds a million events inside PostgreSQL, compared with the same statements from a plain client, and with the
 * embedded engine.
 */
export async function run(): Promise<BenchResult[]> {
  const server = await sharedPostgres();
  const database = await server.createDatabase();
  await server.query(database, tables);
  const folder = await folderWith({
    'entity-sources.yaml': postgresqlSources(server, database),
    'source.entity.yaml': graph('source'),
    'embedded.entity.yaml': graph('embedded'),
  });
  try {
    const statements = await statementsOf(folder);
    const times = { bare: [] as number[], source: [] as number[], embedded: [] as number[] };
    let events = 0;
    for (let round = 0; round < 3; round++) {
      times.bare.push(await seconds(() => runBare(server, database, statements)));
      times.source.push(await seconds(async () => (events = await runImport(folder, 'source'))));
      times.embedded.push(await seconds(() => runImport(folder, 'embedded')));
    }
    const besideBare = besideFloor(times.source, times.bare);
    const name = `engine: source, ${events.toLocaleString('en')} events`;
    return [
      {
        name,
        unit: 's',
        ...besideBare,
        goal: '≤ 1.2 × the same SQL from a bare client',
        ok: besideBare.ratio <= 1.2,
      },
      {
        name: `${name}, beside the embedded engine`,
        unit: 's',
        ...besideFloor(times.source, times.embedded),
        goal: 'no goal',
        ok: true,
      },
    ];
  } finally {
    await removeFolder(folder);
    await server.stop();
  }
}

const projectContextOf = (folder: string) => ({
  ...noSecrets,
  workspaceFolderOf: () => folder,
});

async function runImport(folder: string, engine: string): Promise<number> {
  const file = await readGraphFile(`${folder}/${engine}.entity.yaml`, projectContextOf(folder));
  const { signal } = new AbortController();
  const summary = await importGraph(file, projectContextOf(folder), {
    onProgress: () => undefined,
    signal,
    request: { kind: 'build', isFull: true },
  });
  if (summary.status !== 'imported') throw new Error(summary.error.message);
  return summary.totals.events;
}

/** Tables of the plan; checks are excluded. */
async function statementsOf(folder: string): Promise<readonly string[]> {
  const file = await readGraphFile(`${folder}/source.entity.yaml`, projectContextOf(folder));
  const plan = await showImportPlan(file, projectContextOf(folder), new AbortController().signal);
  return plan.steps
    .filter(({ name, phase }) => phase !== 'post-load checks' && name !== 'transaction' && !name.startsWith('counts'))
    .flatMap(({ parts }) => parts.map(({ text }) => text).filter((text) => !text.startsWith('SELECT count(')));
}

async function runBare(server: TestPostgres, database: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server.url(database) });
  await client.connect();
  await client.query('SET TimeZone = UTC; BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE SCHEMA ekg__building');
  for (const sql of statements) await client.query(sql);
  await client.query('ALTER SCHEMA ekg__building RENAME TO bare; COMMIT; DROP SCHEMA bare CASCADE');
  await client.end();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
