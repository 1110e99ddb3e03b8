import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { DatabaseValue } from './staging-database.ts';

/**
 * Converts a DuckDB value to JavaScript: integers of 64 bits and more to bigint, decimals and UUIDs to text, times to
 * ISO 8601 with microseconds (`…Z` for timestamps, zoned or not) or `infinity` and `-infinity`, binary to lower-case
 * hex, nested values to JSON text.
 */
export function toDatabaseValue(value: DuckDBValue): DatabaseValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof DuckDBDecimalValue) return value.toString();
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return value.isFinite ? isoTimestamp(value.micros) : infinity(value.micros);
  }
  if (value instanceof DuckDBTimestampMillisecondsValue) {
    return value.isFinite ? isoTimestamp(value.millis * 1000n) : infinity(value.millis);
  }
  if (value instanceof DuckDBTimestampSecondsValue) {
    return value.isFinite ? isoTimestamp(value.seconds * 1_000_000n) : infinity(value.seconds);
  }
  if (value instanceof DuckDBTimestampNanosecondsValue) {
    return value.isFinite ? isoNanoseconds(value.nanos) : infinity(value.nanos);
  }
  if (value instanceof DuckDBDateValue)
    return value.isFinite ? isoDate(BigInt(value.days)) : infinity(BigInt(value.days));
  if (value instanceof DuckDBTimeValue) return isoTime(value.micros);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex');
  if (isNested(value)) return JSON.stringify(toJson(value));
  return value.toString();
}

/** Converts it to a JSON value: bigint and numbers that JSON lacks become text. */
export function toCellValue(value: DatabaseValue): string | number | boolean | null {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value;
}

type Nested = DuckDBListValue | DuckDBArrayValue | DuckDBStructValue | DuckDBMapValue | DuckDBUnionValue;

function isNested(value: DuckDBValue): value is Nested {
  return (
    value instanceof DuckDBListValue ||
    value instanceof DuckDBArrayValue ||
    value instanceof DuckDBStructValue ||
    value instanceof DuckDBMapValue ||
    value instanceof DuckDBUnionValue
  );
}

function toJson(value: DuckDBValue): unknown {
  if (!isNested(value)) return toCellValue(toDatabaseValue(value));
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue) return value.items.map(toJson);
  if (value instanceof DuckDBUnionValue) return toJson(value.value);
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(
      value.entries.map(({ key, value }) => [String(toCellValue(toDatabaseValue(key))), toJson(value)]),
    );
  }
  return Object.fromEntries(Object.entries(value.entries).map(([name, entry]) => [name, toJson(entry)]));
}

const microsPerDay = 86_400_000_000n;

function isoTimestamp(micros: bigint): string {
  const day = floorDivide(micros, microsPerDay);
  return `${isoDate(day)}T${isoTime(micros - day * microsPerDay)}Z`;
}

/** With the digits below microseconds, if there are any. */
function isoNanoseconds(nanos: bigint): string {
  const micros = floorDivide(nanos, 1000n);
  const rest = nanos - micros * 1000n;
  const time = isoTimestamp(micros);
  return rest === 0n ? time : time.replace('Z', `${String(rest).padStart(3, '0')}Z`);
}

/** Years outside of 0000–9999 have the six signed digits of ISO 8601; beyond the range of `Date`, DuckDB's text. */
function isoDate(days: bigint): string {
  const date = new Date(Number(days) * 86_400_000);
  if (Number.isNaN(date.getTime())) return new DuckDBDateValue(Number(days)).toString();
  return date.toISOString().replace(/T.*/, '');
}

function isoTime(micros: bigint): string {
  const [hours, minutes, seconds] = [
    micros / 3_600_000_000n,
    (micros / 60_000_000n) % 60n,
    (micros / 1_000_000n) % 60n,
  ];
  const clock = [hours, minutes, seconds].map((part) => String(part).padStart(2, '0')).join(':');
  return `${clock}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value % divisor < 0n ? quotient - 1n : quotient;
}

function infinity(raw: bigint): string {
  return raw > 0n ? 'infinity' : '-infinity';
}
