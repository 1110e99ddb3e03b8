import type { Times } from '../dialect.ts';
import { singleQuoted } from '../standard/quoting.ts';
import { offsetPattern } from '../standard/times.ts';

export const trinoTimes: Times = {
  type: 'timestamp(6)',
  literal: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' '))}`,
  movable: ['0001-01-03', '9999-12-29'],
  /** Every time is finite. */
  isFinite: (time) => `nullif(${time} IS NOT NULL, false)`,
  inZone,
  eraText: (text) => text,
  hasOffset: (text) => `regexp_like(${text}, ${singleQuoted(offsetPattern)})`,
  zonedText: (text) => `CAST(try(${parsed(text)}) AT TIME ZONE 'UTC' AS timestamp(6))`,
  // Not `try(CAST(…))`, which no correlated subquery may contain, as it is a lambda.
  naiveText: (text) => `try_cast(replace(${text}, 'T', ' ') AS timestamp(6))`,
  formatted: undefined,
  utcLiteral: (iso) => `CAST(from_iso8601_timestamp_nanos(${singleQuoted(iso)}) AT TIME ZONE 'UTC' AS timestamp(6))`,
};

/** A cast refuses the `T` of ISO 8601, and the function for ISO 8601 refuses a blank in its place. */
function parsed(text: string): string {
  return `from_iso8601_timestamp_nanos(regexp_replace(trim(${text}), '^([0-9+-]+) +', '$1T'))`;
}

/**
 * `with_timezone` takes the later offset in some overlaps. The offset of the day before is the earlier one, both there
 * and in a gap; it is wrong only shortly after a change, and then does not read back unchanged.
 */
function inZone(time: string, timeZone: string): string {
  const zone = singleQuoted(timeZone);
  const utc = (wall: string): string => `CAST(with_timezone(${wall}, ${zone}) AT TIME ZONE 'UTC' AS timestamp(6))`;
  const wall = (instant: string): string =>
    `CAST(with_timezone(${instant}, 'UTC') AT TIME ZONE ${zone} AS timestamp(6))`;
  const day = `INTERVAL '1' DAY`;
  return `(
    WITH given (t) AS (VALUES CAST(${time} AS timestamp(6))),
      engine AS (SELECT t, ${utc('t')} AS later FROM given),
      candidates AS (SELECT t, later, t - (${wall(`(later - ${day})`)} - (later - ${day})) AS earlier FROM engine)
    SELECT CASE WHEN ${wall('earlier')} = t OR ${wall('later')} <> t THEN earlier ELSE later END FROM candidates
  )`;
}
