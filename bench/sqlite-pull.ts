import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteFile } from '../test/support/sqlite-database.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { measureInProcess } from './measure-pull.ts';
import { printResults } from './measure.ts';
import type { PullMeasurement } from './postgresql-pull-order.ts';
import { durationOf, memoryOf } from './pull-results.ts';
import type { SqlitePullOrder } from './sqlite-pull-order.ts';

/**
 * Pulls 1,000,000 rows × 10 columns of a file into DuckDB, compared with the same rows read by the same reader and
 * dropped, and by Python's `sqlite3`, if there is one; memory up to 5 M rows. Needs `npm run build`.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const folder = await folderWith({});
  try {
    const [small, large] = [join(folder, 'small.sqlite'), join(folder, 'large.sqlite')];
    createSqliteFile(small, tableOf(rows));
    createSqliteFile(large, tableOf(5 * rows));
    const measure = (work: SqlitePullOrder['work'], path: string): Promise<PullMeasurement> =>
      measureInProcess('sqlite-pull-process.ts', { work, path } satisfies SqlitePullOrder);
    const scans: number[] = [];
    const python: number[] = [];
    const pulls: PullMeasurement[] = [];
    // Alternating, so that slow moments of the machine affect all.
    for (let round = 0; round < 5; round += 1) {
      scans.push((await measure('scan', small)).seconds);
      pulls.push(await measure('pull', small));
      const seconds = pythonScan(small);
      if (seconds !== undefined) python.push(seconds);
    }
    const name = `SQLite pull, ${rows / 1e6} M rows × 10 columns`;
    return [
      durationOf(name, pulls, scans, [1.5, 'the same rows read by the same reader and dropped']),
      ...(python.length > 0
        ? [durationOf(`${name}, against Python`, pulls, python, [1.5, "the same rows read by Python's sqlite3"])]
        : []),
      ...memoryOf('SQLite pull', pulls, await measure('pull', large)),
    ];
  } finally {
    await removeFolder(folder);
  }
}

function pythonScan(path: string): number | undefined {
  const program = `
import sqlite3, sys, time
started = time.perf_counter()
for row in sqlite3.connect(sys.argv[1]).execute('SELECT * FROM pulled'): pass
print(time.perf_counter() - started)`;
  const { status, stdout } = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

const tableOf = (rows: number): string => `
CREATE TABLE pulled (id INTEGER PRIMARY KEY, number TEXT, opened_at DATETIME, updated_at DATETIME, state INTEGER,
  cost DECIMAL(12,2), active BOOLEAN, description TEXT, caller INTEGER, assignment TEXT);
WITH RECURSIVE n (seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM n WHERE seq < ${rows})
INSERT INTO pulled SELECT seq, printf('INC%07d', seq), datetime(1577836800 + seq * 37, 'unixepoch'),
  datetime(1577836800 + seq * 41, 'unixepoch'), seq % 7, seq * 1.25, seq % 3 = 0, 'Short description number ' || seq,
  seq * 7919 % 100000, CASE WHEN seq % 5 <> 0 THEN 'group ' || seq % 50 END FROM n;`;

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
