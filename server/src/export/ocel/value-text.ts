import { embeddedLiteral } from '../../query/quote.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import { writableTime } from '../writable-time.ts';

/** How the zone of a UTC time is written. */
export type UtcSuffix = 'Z' | '+00:00';

/** SQL of a value's text; NULL for missing values and times out of range. */
export function valueText(expression: string, type: ValueType, utc?: UtcSuffix): string {
  return type === 'time' ? timeText(writableTime(expression), utc) : `CAST(${expression} AS VARCHAR)`;
}

/** SQL of a UTC timestamp's text: ISO 8601 with microseconds. */
export function timeText(expression: string, utc: UtcSuffix = 'Z'): string {
  return `strftime(${expression}, '%Y-%m-%dT%H:%M:%S.%f${utc}')`;
}

/** The time of initial object values. */
export function firstTime(utc: UtcSuffix): string {
  return `1970-01-01T00:00:00${utc}`;
}

/** SQL of a text around the SQL of texts, each of which may be NULL for nothing. */
export function joinedText(texts: TemplateStringsArray, ...parts: readonly string[]): string {
  const all = texts.flatMap((text, index) => [text === '' ? '' : embeddedLiteral(text), parts[index] ?? '']);
  return `concat(${all.filter((each) => each !== '').join(', ')})`;
}
