import assert from 'node:assert/strict';
import { sqlMoment } from '../../server/src/query/sql-moment.ts';
import { significant } from '../../server/src/query/token-lists.ts';
import { openScratch, type DuckDbSession } from '../../server/src/store/duckdb-store.ts';
import { randomNumbers } from '../simulator/demo-data.ts';

const bases = [
  ...[
    'now()',
    'NOW ( )',
    'current_timestamp',
    'CURRENT_TIMESTAMP',
    'get_current_timestamp()',
    'transaction_timestamp()',
  ],
  ...['localtimestamp', 'current_localtimestamp()', 'current_date', 'today()', 'current_date()', 'now()::date'],
  ...['CAST(now() AS DATE)', 'CAST(current_date AS TIMESTAMP)', 'now()::timestamptz::date', '(now())'],
  ...["DATE '2024-02-29'", "TIMESTAMP '2023-12-31 23:59:59'", "TIMESTAMPTZ '2024-01-31 10:00:00'"],
  ...["DATE '1999-12-31'", "CAST('2024-03-31' AS DATE)", "'2024-03-31 01:02:03'::timestamp"],
];
const units = ['YEAR', 'quarter', 'months', 'WEEK', 'days', 'Hour', 'MINUTES', 'second'];
const truncations = ['year', 'quarter', 'MONTH', 'weeks', 'day', 'hour', 'minute'];

/** A random expression. */
function expression(random: () => number, depth = 0): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const count = (most: number): number => Math.floor(random() * most);
  const interval = (): string => {
    const unit = pick(units);
    const form = random();
    if (form < 0.4) return `INTERVAL ${count(40)} ${unit}`;
    if (form < 0.6) return `INTERVAL '${count(40)}' ${unit}`;
    if (form < 0.7) return `INTERVAL (${count(40)}) ${unit}`;
    if (form < 0.8) return `to_days(${count(40)})`;
    return `INTERVAL '${count(14)} ${unit} ${count(40)} days'`;
  };
  const inner = depth > 2 || random() < 0.4 ? pick(bases) : expression(random, depth + 1);
  const form = random();
  if (form < 0.35) return `${inner} ${pick(['+', '-'])} ${interval()}`;
  if (form < 0.5) return `date_trunc('${pick(truncations)}', ${inner})`;
  if (form < 0.65) return `(${inner})::date - ${count(400)}`;
  if (form < 0.75) return `CAST(${inner} AS ${pick(['DATE', 'TIMESTAMP'])})`;
  return inner;
}

describe('time expressions of SQL evaluated locally', () => {
  let session: DuckDbSession;
  before(async () => {
    session = await openScratch();
  });
  after(() => session.close());

  it('equal the values computed by DuckDB', async () => {
    const random = randomNumbers(7);
    const expressions = new Set([...bases, ...Array.from({ length: 1500 }, () => expression(random))]);
    let compared = 0;
    for (const sql of expressions) {
      const moment = sqlMoment(significant(sql));
      assert.ok(moment, sql);
      // An expression that cannot be computed is no condition either.
      const [row] = await session
        .query(
          `SELECT CAST(epoch_us(CAST(${sql} AS TIMESTAMPTZ)) AS VARCHAR) AS at, CAST(epoch_us(now()) AS VARCHAR) AS now`,
        )
        .catch(() => []);
      if (!row) continue;
      compared += 1;
      const now = Number(row['now']) / 1000;
      const [at, last] = moment.within([now, now]);
      const difference = Math.abs(at - Number(row['at']) / 1000);
      assert.ok(difference < 1 && last === at, `${sql}: ${new Date(at).toISOString()}, ${difference} ms away`);
    }
    assert.ok(compared > 1000, `${compared} were compared`);
  });

  it('are none on a day that does not exist', () => {
    for (const sql of ["DATE '2024-02-30'", "TIMESTAMP '2023-02-29 10:00:00'"])
      assert.equal(sqlMoment(significant(sql)), undefined, sql);
  });

  it('over a span of time lie within the computed span', () => {
    const random = randomNumbers(11);
    for (let tried = 0; tried < 2000; tried += 1) {
      const sql = expression(random);
      const moment = sqlMoment(significant(sql));
      // Ends of months, also of leap years, where months have different lengths.
      const start = Date.UTC(2023 + Math.floor(random() * 2), Math.floor(random() * 12), 26, random() * 24);
      const end = start + random() * 12 * 86_400_000;
      const [first, last] = moment?.within([start, end]) ?? [NaN, NaN];
      for (let step = 0; step <= 50; step += 1) {
        const now = start + ((end - start) * step) / 50;
        const [at] = moment?.within([now, now]) ?? [NaN];
        assert.ok(at >= first && at <= last, `${sql} at ${new Date(now).toISOString()}`);
      }
    }
  });
});
