import { isFineTimeSql } from '../../dialects/standard/fine-times.ts';
import type { DuckDbSession, StatementOptions } from '../../store/duckdb-store.ts';

/**
 * A warning about times of a log with digits below microseconds, which are cut off.
 * @param times a SELECT of the texts as `value`, and of where they are as `place`, in the order of the file
 */
export async function fineTimesWarning(
  database: DuckDbSession,
  times: string,
  options: StatementOptions,
): Promise<readonly string[]> {
  const [row] = await database.query(
    `SELECT count(*) AS n, first(value) AS value, first(place) AS place FROM (${times}) WHERE ${isFineTimeSql('value')}`,
    options,
  );
  const count = Number(row?.['n'] ?? 0);
  if (count === 0) return [];
  const what = count === 1 ? '1 time has' : `${count} times have`;
  const first = `${String(row?.['value'])} of ${String(row?.['place'])}`;
  return [`${what} digits below microseconds, which are cut off, the first of them ${first}.`];
}
