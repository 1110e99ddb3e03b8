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

/** SQL of the UTC time of an ISO 8601 text with an offset. */
export function utcLiteral(iso: string): string {
  return `TIMESTAMPTZ ${singleQuoted(iso)} AT TIME ZONE 'UTC'`;
}
