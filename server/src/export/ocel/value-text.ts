import type { ValueType } from '../../graph-schema/value-type.ts';
import { writableTime } from '../writable-time.ts';

/** DuckDB's format of times in OCEL files: ISO 8601 in UTC with microseconds. */
const isoTime = '%Y-%m-%dT%H:%M:%S.%fZ';

/** SQL of a value's text; NULL for missing values and times out of range. */
export function valueText(expression: string, type: ValueType): string {
  return type === 'time' ? timeText(writableTime(expression)) : `CAST(${expression} AS VARCHAR)`;
}

/** SQL of a UTC timestamp's text. */
export function timeText(expression: string): string {
  return `strftime(${expression}, '${isoTime}')`;
}

/** The time of initial object values. */
export const firstTime = '1970-01-01T00:00:00Z';
