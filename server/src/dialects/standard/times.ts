import { isUtcName } from '../../model/utc-names.ts';
import type { TimeColumn, TimeComparison } from '../dialect.ts';
import { singleQuoted } from './quoting.ts';

/** The type of times in PostgreSQL and DuckDB. */
export const timestampType = 'TIMESTAMP';

/** A time without zone in engines that read ISO 8601. */
export function timestampLiteral(iso: string): string {
  return `TIMESTAMP ${singleQuoted(iso)}`;
}

/** SQL that is true for finite times, in PostgreSQL and DuckDB. */
export function isFinite(time: string): string {
  return `isfinite(${time})`;
}

/** SQL of the last microsecond of a date, in PostgreSQL and DuckDB. */
export function endOfDay(date: string): string {
  return `(CAST(${date} AS TIMESTAMP) + INTERVAL '23:59:59.999999')`;
}

/** A regular expression for PostgreSQL and DuckDB that matches a time with an offset. */
export const offsetPattern = '[0-9]:[0-9]{2}.*(Z|z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)\\s*$';

/** SQL of the UTC time of a time without zone, for engines with the function `timezone`. */
export function inZone(time: string, timeZone: string): string {
  const zone = singleQuoted(timeZone);
  const day = `INTERVAL '1 day'`;
  const wall = (instant: string): string => `timezone(${zone}, ${instant} AT TIME ZONE 'UTC')`;
  // Both engines choose the later offset in an overlap. The offset of the previous day is the earlier one, both there
  // and in a gap. It is wrong only shortly after a change, and then does not read back unchanged.
  return `(
    WITH given AS (SELECT ${time} AS t),
      engine AS (SELECT t, timezone(${zone}, t) AT TIME ZONE 'UTC' AS later FROM given),
      candidates AS (SELECT t, later, t - (${wall(`(later - ${day})`)} - (later - ${day})) AS earlier FROM engine)
    SELECT CASE WHEN ${wall('earlier')} = t OR ${wall('later')} <> t THEN earlier ELSE later END FROM candidates
  )`;
}

/**
 * Compares times in UTC, in engines with the function `timezone` and types of times with and without zone.
 * @param isZoned whether a type has a zone
 */
export function timesInUtc(isZoned: (type: string) => boolean): TimeComparison {
  const isDate = (type: string): boolean => /^date$/i.test(type);
  return {
    areAlike: (left, right, timeZone) => areAlike(left, right, timeZone, { isZoned, isDate }),
    operand(value, { type, timeZone: own }, timeZone) {
      if (isZoned(type)) return `(${value} AT TIME ZONE 'UTC')`;
      return utcOfColumn(`CAST(${value} AS TIMESTAMP)`, own ?? timeZone);
    },
  };
}

/** Whether times can be compared as they are, in engines that compare times with and without zone by that of the data source. */
export function areAlike(
  left: TimeColumn,
  right: TimeColumn,
  timeZone: string,
  { isZoned, isDate }: Readonly<Record<'isZoned' | 'isDate', (type: string) => boolean>>,
): boolean {
  const [zoned, other] = [isZoned(left.type), isZoned(right.type)];
  if (zoned && other) return true;
  const zones = [left.timeZone ?? timeZone, right.timeZone ?? timeZone];
  // One with a zone is compared with one without in the zone of the session.
  if (zoned !== other) return isUtcName(timeZone) && isUtcName((zoned ? zones[1] : zones[0]) ?? '');
  return zones.every(isUtcName) || (isDate(left.type) && isDate(right.type) && zones[0] === zones[1]);
}

/** As `inZone`, without a subquery, which conditions of joins may not have or run slowly. */
function utcOfColumn(time: string, timeZone: string): string {
  const zone = singleQuoted(timeZone);
  const wall = (instant: string): string => `timezone(${zone}, ${instant} AT TIME ZONE 'UTC')`;
  const later = `(timezone(${zone}, ${time}) AT TIME ZONE 'UTC')`;
  const before = `(${later} - INTERVAL '1 day')`;
  const earlier = `(${time} - (${wall(before)} - ${before}))`;
  const isEarlier = `${wall(earlier)} = ${time} OR ${wall(later)} <> ${time}`;
  return `(CASE WHEN NOT isfinite(${time}) THEN ${time} WHEN ${isEarlier} THEN ${earlier} ELSE ${later} END)`;
}

/** SQL of the UTC time of an ISO 8601 text with an offset. */
export function utcLiteral(iso: string): string {
  return `TIMESTAMPTZ ${singleQuoted(iso)} AT TIME ZONE 'UTC'`;
}
