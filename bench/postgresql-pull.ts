import { fileURLToPath } from 'node:url';
import { sharedPostgres, type TestPostgres } from '../test/support/postgres.ts';
import { measureInProcess } from './measure-pull.ts';
import { besideFloor, median, printResults, ratioBounds } from './measure.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { duckDbMegabytes, type PullMeasurement, type PullOrder } from './postgresql-pull-order.ts';

/** The third size, measured once. */
const more = isQuick ? 0 : 10_000_000;

/**
 * Pulls 1,000,000 rows × 10 columns into DuckDB, compared with the same COPY read by `pg` and discarded; memory up to 5
 * M rows.
 */
export async function run(): Promise<BenchResult[]> {
  const server = await sharedPostgres();
  try {
    const database = await server.createDatabase();
    await server.query(database, tableOf('small', 1_000_000));
    await server.query(database, tableOf('large', 5_000_000));
    // Otherwise the first read would set hint bits.
    for (const table of ['small', 'large']) await server.query(database, `VACUUM ANALYZE ${table}`);

    const small = { work: 'pull', database, sql: 'SELECT * FROM small' } as const;
    const floors: number[] = [];
    const overTwo: number[] = [];
    const overOne: number[] = [];
    const fingerprints: number[] = [];
    const pulls: PullMeasurement[] = [];
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < 5; round++) {
      floors.push((await inProcess(server, { work: 'drop', database, sql: 'SELECT * FROM small' })).seconds);
      pulls.push(await inProcess(server, small));
      overOne.push((await inProcess(server, { ...small, work: 'pull over one' })).seconds);
      overTwo.push((await inProcess(server, { ...small, work: 'drop over two' })).seconds);
      fingerprints.push((await inProcess(server, { ...small, work: 'fingerprint' })).seconds);
    }
    const large = await inProcess(server, { ...small, sql: 'SELECT * FROM large' });

    const pulled = besideFloor(
      pulls.map(({ seconds }) => seconds),
      floors,
    );
    const unchanged = besideFloor(fingerprints, floors);
    return [
      {
        ...{ name: 'PostgreSQL pull, 1 M rows × 10 columns', unit: 's', ...pulled },
        ...ratioBounds(pulled.ratio, { aim: 0.85, limit: 1.4 }, 'the same COPY read and dropped'),
      },
      ...(more > 0 ? [await pullOf(server, database, more)] : []),
      {
        name: 'the same over one connection',
        ...{ unit: 's', ...besideFloor(overOne, floors) },
        goal: 'for comparison',
        ok: true,
      },
      {
        name: 'the same COPY over two connections with half of the blocks each, read and dropped',
        ...{ unit: 's', ...besideFloor(overTwo, floors) },
        goal: 'for comparison',
        ok: true,
      },
      {
        name: 'PostgreSQL, finding out whether 1 M rows have changed',
        ...{ unit: 's', ...unchanged },
        goal: '≤ 0.5 × the same COPY read and dropped',
        ok: unchanged.ratio <= 0.5,
      },
      {
        ...memoryOf('PostgreSQL pull, peak of JavaScript heap and buffers, 5 M rows', pulls, large, 'nodeMegabytes'),
        goal: '≤ 1.25 × that of 1 M rows',
        ok: large.nodeMegabytes <= 1.25 * median(pulls.map((pull) => pull.nodeMegabytes)),
      },
      {
        ...memoryOf('PostgreSQL pull, peak resident memory, 5 M rows', pulls, large, 'residentMegabytes'),
        // At 1 M rows DuckDB has not reached its limit; from 3 M rows on its memory is constant.
        goal: `≤ that of 1 M rows and the ${duckDbMegabytes} MB that DuckDB may use`,
        ok: large.residentMegabytes <= median(pulls.map((pull) => pull.residentMegabytes)) + duckDbMegabytes,
      },
    ];
  } finally {
    await server.stop();
  }
}

async function pullOf(server: TestPostgres, database: string, rows: number): Promise<BenchResult> {
  await server.query(database, tableOf('more', rows));
  await server.query(database, 'VACUUM ANALYZE more');
  const order = { database, sql: 'SELECT * FROM more' } as const;
  const { seconds: floor } = await inProcess(server, { ...order, work: 'drop' });
  const { seconds: value } = await inProcess(server, { ...order, work: 'pull' });
  return {
    name: `PostgreSQL pull, ${rows / 1_000_000} M rows × 10 columns`,
    ...{ value, unit: 's', floor, ratio: value / floor },
    goal: '≤ 2.5 × the same COPY read and dropped',
    ok: value <= 2.5 * floor,
  };
}

function memoryOf(
  name: string,
  small: readonly PullMeasurement[],
  large: PullMeasurement,
  kind: 'nodeMegabytes' | 'residentMegabytes',
): Omit<BenchResult, 'goal' | 'ok'> {
  const floor = median(small.map((measurement) => measurement[kind]));
  return { name, value: large[kind], unit: 'MB', floor, ratio: large[kind] / floor };
}

const tableOf = (name: string, rows: number): string => `CREATE TABLE ${name} AS
SELECT i AS id, 'INC' || lpad(i::text, 7, '0') AS number, timestamp '2020-01-01' + i * interval '37 seconds' AS opened_at,
  timestamptz '2020-01-01' + i * interval '41 seconds' AS updated_at, i % 7 AS state, (i * 1.25)::numeric(12,2) AS cost,
  i % 3 = 0 AS active, 'Short description number ' || i AS description, (i::int8 * 7919 % 100000)::int AS caller,
  CASE WHEN i % 5 <> 0 THEN 'group ' || i % 50 END AS assignment
FROM generate_series(1, ${rows}) AS i`;

function inProcess(server: TestPostgres, order: Omit<PullOrder, 'server'>): Promise<PullMeasurement> {
  const { host, port, user, password } = server;
  const complete: PullOrder = { ...order, server: { host, port, user, password } };
  return measureInProcess('postgresql-pull-process.ts', complete);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
