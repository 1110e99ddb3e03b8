import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSqliteFile } from '../test/support/sqlite-database.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { measureInProcess } from './measure-pull.ts';
import { printResults } from './measure.ts';
import { node22 } from './node-22.ts';
import { duckDbMegabytes, type PullMeasurement, tightMegabytes } from './postgresql-pull-order.ts';
import { comparedDuration, durationOf, memoryOf } from './pull-results.ts';
import type { SqlitePullOrder } from './sqlite-pull-order.ts';

/**
 * Pulls 1,000,000 rows × 10 columns of a file into DuckDB, compared with the same rows read and dropped: by `node:sqlite`
 * in both forms, by the product's reader, and by Python's `sqlite3`, if there is one; memory up to 10 M rows. Needs
 * `npm run build`.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const folder = await folderWith({});
  try {
    const fileOf = (times: number): string => {
      const path = join(folder, `${times}.sqlite`);
      createSqliteFile(path, tableOf(times * rows));
      return path;
    };
    const small = fileOf(1);
    const measure = (work: SqlitePullOrder['work'], path: string, memory = duckDbMegabytes): Promise<PullMeasurement> =>
      measureInProcess('sqlite-pull-process.ts', { work, path, memory } satisfies SqlitePullOrder);
    const node = await node22();
    const scans: number[] = [];
    const objects: number[] = [];
    const arrays: number[] = [];
    const python: number[] = [];
    const pulls: PullMeasurement[] = [];
    const tight: PullMeasurement[] = [];
    // Alternating, so that slow moments of the machine affect all.
    for (let round = 0; round < 5; round += 1) {
      scans.push((await measure('scan', small)).seconds);
      objects.push(nodeScan(node, small, 'objects'));
      pulls.push(await measure('pull', small));
      arrays.push(nodeScan(node, small, 'arrays'));
      const seconds = pythonScan(small);
      if (seconds !== undefined) python.push(seconds);
      if (!isQuick) tight.push(await measure('pull', small, tightMegabytes));
    }
    const name = `SQLite pull, ${rows / 1e6} M rows × 10 columns`;
    const results = [
      durationOf(name, pulls, objects, [1.5, 'the same rows read by node:sqlite and dropped']),
      durationOf(`${name}, against its reader`, pulls, scans, [
        1.5,
        'the same rows read by the same reader and dropped',
      ]),
      comparedDuration(`${name}, against node:sqlite with rows as arrays`, pulls, arrays),
      ...(python.length > 0 ? [comparedDuration(`${name}, against Python's sqlite3`, pulls, python)] : []),
    ];
    // Fewer rows do not fill the memory.
    for (const times of isQuick ? [] : [5, 10]) {
      const large = await measure('pull', fileOf(times), tightMegabytes);
      results.push(...memoryOf('SQLite pull', tight, large, times));
    }
    return results;
  } finally {
    await removeFolder(folder);
  }
}

function nodeScan(node: string, path: string, rowsAs: 'objects' | 'arrays'): number {
  const script = fileURLToPath(new URL('node-sqlite-scan.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(node, [script, path, 'pulled', rowsAs], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`node:sqlite could not read the file.\n${stderr}`);
  return Number(stdout);
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
