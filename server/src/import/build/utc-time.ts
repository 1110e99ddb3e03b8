import type { StagedColumn } from '../../connectors/connector.ts';
import { quoteLiteral } from '../../query/quote.ts';
import type { BuildDialect } from './build-dialect.ts';

/** Where times are read: by which engine, and in which zone those that have none. */
export interface TimePlace {
  readonly dialect: BuildDialect;
  readonly timeZone: string;
}

/**
 * SQL of the UTC time of a staged timestamp, date or text (docs/semantics.md#8-time): NULL when it is missing or infinite. A time
 * without zone is read in the zone of the place; in a gap of daylight saving it moves forward, in an overlap the earlier
 * offset holds.
 */
export function utcTime(column: StagedColumn, place: TimePlace, expression: string = column.stagedAs): string {
  if (column.sense === 'text') return textTime(expression, place);
  const time = column.stagedType.toUpperCase() === 'TIMESTAMP' ? expression : `CAST(${expression} AS TIMESTAMP)`;
  const known = finite(time);
  return column.zoned === true ? known : inZone(known, place.timeZone);
}

/** Whether a time can be read from such a column at all. */
export function isTimeColumn(column: { readonly sense: StagedColumn['sense'] }): boolean {
  return column.sense === 'timestamp' || column.sense === 'date' || column.sense === 'text';
}

/** SQL that is true for a value that is no time: text that does not parse. */
export function isNoTime(column: StagedColumn, place: TimePlace): string {
  if (column.sense !== 'text') return 'false';
  return `(${column.stagedAs} IS NOT NULL AND ${parsedText(column.stagedAs, place)} IS NULL)`;
}

/** SQL that is true for an infinite time, which counts as missing (docs/semantics.md#83-infinity-is-missing). */
export function isInfinite(column: StagedColumn, place: TimePlace): string {
  const time = column.sense === 'text' ? parsedText(column.stagedAs, place) : column.stagedAs;
  return `NOT isfinite(${time})`;
}

/** SQL of the UTC time of a time without zone. Zones without offset cost nothing. */
function inZone(time: string, timeZone: string): string {
  if (isInUtc({ timeZone })) return time;
  const zone = quoteLiteral(timeZone, 'duckdb');
  const day = `INTERVAL '1 day'`;
  const wall = (instant: string): string => `timezone(${zone}, ${instant} AT TIME ZONE 'UTC')`;
  // Both engines take the later offset in an overlap. The offset of the day before is the earlier one, there and in a gap;
  // it is wrong only for times shortly after a change, which read back differently with it.
  return `(
    WITH given AS (SELECT ${time} AS t),
      engine AS (SELECT t, timezone(${zone}, t) AT TIME ZONE 'UTC' AS later FROM given),
      candidates AS (SELECT t, later, t - (${wall(`(later - ${day})`)} - (later - ${day})) AS earlier FROM engine)
    SELECT CASE WHEN ${wall('earlier')} = t OR ${wall('later')} <> t THEN earlier ELSE later END FROM candidates
  )`;
}

/** Whether times without zone are those of UTC. */
export function isInUtc({ timeZone }: Pick<TimePlace, 'timeZone'>): boolean {
  return utcNames.has(timeZone);
}

const utcNames = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Z', 'Zulu', 'Etc/Zulu', 'Etc/UCT', 'UCT', 'Universal']);

/** `0044-03-15 12:00:00 BC`, as PostgreSQL writes it, is `0044-03-15 (BC) 12:00:00` in DuckDB. */
function eraText(text: string, { name }: BuildDialect): string {
  if (name !== 'duckdb') return text;
  return `(CASE WHEN ends_with(${text}, ' BC') THEN regexp_replace(${text}, '^\\s*([^ T]+)(.*) BC$', '\\1 (BC)\\2') ELSE ${text} END)`;
}

const offsetPattern = '[0-9]:[0-9]{2}.*(Z|z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)\\s*$';

function parsedText(given: string, { dialect }: TimePlace): string {
  const text = eraText(given, dialect);
  return `coalesce(${zonedText(text, dialect)}, ${naiveText(text, dialect)})`;
}

function textTime(given: string, { dialect, timeZone }: TimePlace): string {
  const text = eraText(given, dialect);
  const zoned = finite(zonedText(text, dialect));
  const naive = inZone(finite(naiveText(text, dialect)), timeZone);
  return `(CASE WHEN ${hasOffset(text, dialect)} THEN ${zoned} ELSE ${naive} END)`;
}

function hasOffset(text: string, { name }: BuildDialect): string {
  return name === 'duckdb'
    ? `regexp_matches(${text}, '${offsetPattern}')`
    : `${text} ~ ${quoteLiteral(offsetPattern, name)}`;
}

function zonedText(text: string, { name }: BuildDialect): string {
  return name === 'duckdb'
    ? `TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`
    : `CASE WHEN ${isPostgresqlTime(text, 'timestamptz')} THEN ${text}::timestamptz AT TIME ZONE 'UTC' END`;
}

function naiveText(text: string, { name }: BuildDialect): string {
  return name === 'duckdb'
    ? `TRY_CAST(${text} AS TIMESTAMP)`
    : `CASE WHEN ${isPostgresqlTime(text, 'timestamp')} THEN ${text}::timestamp END`;
}

/** PostgreSQL also reads words such as `tomorrow`, which are no time of an event. */
function isPostgresqlTime(text: string, type: string): string {
  return `${text} ~ '^\\s*([0-9]{4}-|-?infinity)' AND pg_input_is_valid(${text}, '${type}')`;
}

function finite(time: string): string {
  return `CASE WHEN isfinite(${time}) THEN ${time} END`;
}
