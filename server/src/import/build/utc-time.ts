import type { StagedColumn } from '../../connectors/connector.ts';
import { quoteLiteral } from '../../query/quote.ts';

/**
 * SQL of the UTC time of a staged timestamp, date or text (design rule 5): NULL when it is missing or infinite. A time
 * without zone is read in `timeZone`; in a gap of daylight saving it moves forward, in an overlap the earlier offset holds.
 */
export function utcTime(column: StagedColumn, timeZone: string, expression: string = column.stagedAs): string {
  if (column.sense === 'text') return textTime(expression, timeZone);
  const time = column.stagedType === 'TIMESTAMP' ? expression : `CAST(${expression} AS TIMESTAMP)`;
  const finite = `CASE WHEN isfinite(${time}) THEN ${time} END`;
  return column.zoned === true ? finite : inZone(finite, timeZone);
}

/** Whether a time can be read from such a column at all. */
export function isTimeColumn(column: { readonly sense: StagedColumn['sense'] }): boolean {
  return column.sense === 'timestamp' || column.sense === 'date' || column.sense === 'text';
}

/** SQL that is true for a value that is no time: text that does not parse. */
export function isNoTime(column: StagedColumn): string {
  if (column.sense !== 'text') return 'false';
  return `(${column.stagedAs} IS NOT NULL AND ${parsedText(column.stagedAs)} IS NULL)`;
}

/** SQL that is true for a value that design rule 5 counts as missing. */
export function isInfinite(column: StagedColumn): string {
  const time = column.sense === 'text' ? parsedText(column.stagedAs) : column.stagedAs;
  return `NOT isfinite(${time})`;
}

/** SQL of the UTC time of a time without zone. Zones without offset cost nothing. */
function inZone(time: string, timeZone: string): string {
  if (utcNames.has(timeZone)) return time;
  const zone = quoteLiteral(timeZone, 'duckdb');
  const wall = (instant: string): string => `timezone(${zone}, ${instant} AT TIME ZONE 'UTC')`;
  // DuckDB takes the later offset in an overlap. The offset of the day before is the earlier one, there and in a gap;
  // it is wrong only for times shortly after a change, which read back differently with it.
  return `(
    WITH given AS (SELECT ${time} AS t),
      engine AS (SELECT t, timezone(${zone}, t) AT TIME ZONE 'UTC' AS later FROM given),
      candidates AS (SELECT t, later, t - (${wall('(later - INTERVAL 1 DAY)')} - (later - INTERVAL 1 DAY)) AS earlier FROM engine)
    SELECT CASE WHEN ${wall('earlier')} = t OR ${wall('later')} <> t THEN earlier ELSE later END FROM candidates
  )`;
}

const utcNames = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Z', 'Zulu', 'Etc/Zulu', 'Etc/UCT', 'UCT', 'Universal']);

const offsetPattern = '[0-9]:[0-9]{2}.*(Z|z|UTC|[+-][0-9]{2}(:?[0-9]{2})?)\\s*$';

function parsedText(text: string): string {
  return `coalesce(TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC', TRY_CAST(${text} AS TIMESTAMP))`;
}

function textTime(text: string, timeZone: string): string {
  const zoned = `TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`;
  const naive = `TRY_CAST(${text} AS TIMESTAMP)`;
  const time = `CASE WHEN regexp_matches(${text}, '${offsetPattern}') THEN ${finite(zoned)} ELSE ${inZone(finite(naive), timeZone)} END`;
  return `(${time})`;
}

function finite(time: string): string {
  return `CASE WHEN isfinite(${time}) THEN ${time} END`;
}
