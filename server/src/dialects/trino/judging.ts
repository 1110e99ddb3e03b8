import { windowJudging } from '../standard/judging.ts';
import type { JudgingSql } from '../standard/build-sql.ts';
import { trinoTypes } from './types.ts';

export const trinoJudging: JudgingSql = {
  // Its intervals have no microseconds.
  ...windowJudging({ order: microseconds('time'), distance: String }),
  // Common tables are always read anew.
  keptTable: '',
  inlinedTable: '',
  interval,
  microseconds,
  readOnce: {
    least: (columns, order, count, condition) =>
      `min_by(ROW(${columns.join(', ')}), ${order}, ${count}) FILTER (WHERE ${condition})`,
    // A place beyond the last one gives a NULL with the type of these rows.
    nothingAnd: (value) => `UNNEST(ARRAY[element_at(${value}, 10001)] || coalesce(${value}, ARRAY[]))`,
    rows: (rows) => `UNNEST(ARRAY[${rows.map((values) => `ROW(${values.join(', ')})`).join(', ')}])`,
  },
  /** Numbers among each other, and dates and times, are united by Trino itself. */
  unionType(types) {
    if (new Set(types).size === 1) return types[0];
    const senses = types.map((type) => trinoTypes.sense(type));
    const areAll = (...expected: readonly string[]): boolean => senses.every((sense) => expected.includes(sense));
    return areAll('integer', 'number') || areAll('date', 'timestamp') ? undefined : 'varchar';
  },
};

/** Written in days, hours, minutes and seconds: a field of its own holds no more than 32 bits. */
function interval(microseconds: number): string {
  const milliseconds = Math.round(microseconds / 1000);
  const [seconds, minutes, hours] = [1000, 60_000, 3_600_000].map((unit) => Math.trunc(milliseconds / unit));
  const two = (number = 0, base = 60): string => String(number % base).padStart(2, '0');
  const clock = `${two(hours, 24)}:${two(minutes)}:${two(seconds)}.${String(milliseconds % 1000).padStart(3, '0')}`;
  return `INTERVAL '${Math.trunc(milliseconds / 86_400_000)} ${clock}' DAY TO SECOND`;
}

/** Milliseconds as a number and the last three digits of the text: a double would not keep all microseconds. */
function microseconds(time: string): string {
  const exact = `CAST(${time} AS timestamp(6))`;
  return `(date_diff('millisecond', TIMESTAMP '1970-01-01 00:00:00.000000', ${exact}) * 1000 + CAST(substr(CAST(${exact} AS varchar), -3) AS bigint))`;
}
