import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2';
import { withBuildDatabase } from '../test/support/build-database.ts';
import { sharedMariadb, type TestMariadb } from '../test/support/mariadb.ts';
import { mysqlConnector, mysqlQuery } from '../test/support/mysql-source.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { median, printResults } from './measure.ts';

/** Pulls 1,000,000 rows × 10 columns into DuckDB, compared with the same rows streamed by `mysql2` and dropped. */
export async function run(): Promise<BenchResult[]> {
  const server = await sharedMariadb();
  try {
    const database = await server.createDatabase();
    await server.query(database, tableOf(isQuick ? 100_000 : 1_000_000));
    const floors: number[] = [];
    const values: number[] = [];
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < 3; round += 1) {
      floors.push(await secondsOf(() => drop(server, database)));
      values.push(await secondsOf(() => pull(server, database)));
    }
    const [floor, value] = [median(floors), median(values)];
    return [
      {
        name: `MySQL pull, ${isQuick ? '0.1' : '1'} M rows × 10 columns`,
        ...{ value, unit: 's', floor, ratio: value / floor },
        goal: '≤ 2 × the same rows streamed by mysql2 and dropped',
        ok: value <= 2 * floor,
      },
    ];
  } finally {
    await server.stop();
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

async function pull(server: TestMariadb, database: string): Promise<void> {
  const connector = await mysqlConnector(server, database);
  await withBuildDatabase(async (staging) => {
    const opened = await connector.openPull(staging, {});
    await opened.load(mysqlQuery('SELECT * FROM pulled'), 'staged', {});
    await opened.close();
  });
}

/** What a program without this connector would write: rows as the driver gives them by default. */
async function drop({ host, port, user, password }: TestMariadb, database: string): Promise<void> {
  const connection = createConnection({ host, port, user, password, database });
  await new Promise<void>((resolve, reject) => {
    connection.query('SELECT * FROM pulled').stream().on('error', reject).on('end', resolve).resume();
  });
  connection.destroy();
}

const tableOf = (rows: number): string => `CREATE TABLE pulled ENGINE=InnoDB AS
SELECT seq AS id, CONCAT('INC', LPAD(seq, 7, '0')) AS number, TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq * 37 SECOND AS opened_at,
  TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq * 41 SECOND AS updated_at, seq % 7 AS state, CAST(seq * 1.25 AS DECIMAL(12,2)) AS cost,
  seq % 3 = 0 AS active, CONCAT('Short description number ', seq) AS description, seq * 7919 % 100000 AS caller,
  CASE WHEN seq % 5 <> 0 THEN CONCAT('group ', seq % 50) END AS assignment
FROM seq_1_to_${rows}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
