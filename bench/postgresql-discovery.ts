import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { catalogQueries } from '../server/src/connectors/postgresql/catalog-queries.ts';
import { sharedPostgres } from '../test/support/postgres.ts';
import { postgresqlConnector } from '../test/support/postgresql-source.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, printResults } from './measure.ts';

/** Discovery of 2,000 tables × 20 columns, compared with the catalog queries alone. */
export async function run(): Promise<BenchResult[]> {
  const server = await sharedPostgres();
  try {
    const database = await server.createDatabase();
    for (let first = 1; first <= 2000; first += 250) await server.query(database, tables(first, first + 249));
    await server.query(database, 'ANALYZE');
    const connector = await postgresqlConnector(server, database);
    const floors: number[] = [];
    const values: number[] = [];
    for (let round = 0; round < 5; round++) {
      floors.push(await seconds(() => rawQueries(server.url(database))));
      values.push(await seconds(() => connector.describe({})));
    }
    const both = besideFloor(values, floors);
    const name = 'PostgreSQL discovery, 2,000 tables × 20 columns';
    return [{ name, unit: 's', ...both, goal: '≤ 3 × the raw catalog queries', ok: both.ratio <= 3 }];
  } finally {
    await server.stop();
  }
}

function tables(first: number, last: number): string {
  const columns = Array.from(
    { length: 18 },
    (_, index) => `column_${index} ${index % 2 ? 'text' : 'numeric(10,2)'}`,
  ).join(', ');
  return `DO $$ BEGIN FOR i IN ${first}..${last} LOOP
    EXECUTE format('CREATE TABLE table_%s (id int PRIMARY KEY, parent int REFERENCES table_%s, ${columns})', i, greatest(i - 1, 1));
    EXECUTE format('INSERT INTO table_%s (id) SELECT generate_series(1, 10)', i);
    EXECUTE format('COMMENT ON COLUMN table_%s.parent IS ''The one before''', i);
  END LOOP; END $$`;
}

/** Time of the server alone: results are discarded. */
async function rawQueries(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const unread = { getTypeParser: () => () => null } as unknown as pg.CustomTypesConfig;
  for (const text of Object.values(catalogQueries)) await client.query({ text, values: [['public']], types: unread });
  await client.end();
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
