import { fileURLToPath } from 'node:url';
import { sharedMariadb } from '../test/support/mariadb.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { measureInProcess } from './measure-pull.ts';
import { printResults } from './measure.ts';
import type { MysqlPullOrder } from './mysql-pull-order.ts';
import { duckDbMegabytes, type PullMeasurement, tightMegabytes } from './postgresql-pull-order.ts';
import { durationOf, memoryOf } from './pull-results.ts';

/**
 * Pulls 1,000,000 rows × 10 columns into DuckDB, compared with the same rows streamed by `mysql2` and dropped; memory up
 * to 5 M rows.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const server = await sharedMariadb();
  try {
    const database = await server.createDatabase();
    await server.query(database, tableOf('small', rows));
    if (!isQuick) await server.query(database, tableOf('large', 5 * rows));
    const measure = (
      work: MysqlPullOrder['work'],
      table: string,
      memory = duckDbMegabytes,
    ): Promise<PullMeasurement> => {
      const { host, port, user, password } = server;
      const order: MysqlPullOrder = {
        ...{ work, database, sql: `SELECT * FROM ${table}`, memory },
        server: { host, port, user, password },
      };
      return measureInProcess('mysql-pull-process.ts', order);
    };
    const floors: number[] = [];
    const pulls: PullMeasurement[] = [];
    const tight: PullMeasurement[] = [];
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < 5; round += 1) {
      floors.push((await measure('drop', 'small')).seconds);
      pulls.push(await measure('pull', 'small'));
      if (!isQuick) tight.push(await measure('pull', 'small', tightMegabytes));
    }
    const name = `MySQL pull, ${rows / 1e6} M rows × 10 columns`;
    return [
      durationOf(name, pulls, floors, [2, 'the same rows streamed by mysql2 and dropped']),
      // Fewer rows do not fill the memory.
      ...(isQuick ? [] : memoryOf('MySQL pull', tight, await measure('pull', 'large', tightMegabytes), 5)),
    ];
  } finally {
    await server.stop();
  }
}

const tableOf = (name: string, rows: number): string => `CREATE TABLE ${name} ENGINE=InnoDB AS
SELECT seq AS id, CONCAT('INC', LPAD(seq, 7, '0')) AS number, TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq * 37 SECOND AS opened_at,
  TIMESTAMP '2020-01-01 00:00:00' + INTERVAL seq * 41 SECOND AS updated_at, seq % 7 AS state, CAST(seq * 1.25 AS DECIMAL(12,2)) AS cost,
  seq % 3 = 0 AS active, CONCAT('Short description number ', seq) AS description, seq * 7919 % 100000 AS caller,
  CASE WHEN seq % 5 <> 0 THEN CONCAT('group ', seq % 50) END AS assignment
FROM seq_1_to_${rows}`;

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
