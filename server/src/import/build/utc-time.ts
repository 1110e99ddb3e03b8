import type { StagedColumn } from '../../connectors/connector.ts';
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
  const known = finite(time, place);
  return column.zoned === true ? known : inZone(known, place);
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
  return `NOT ${place.dialect.times.isFinite(time)}`;
}

/** SQL of the UTC time of a time without zone. Zones without offset cost nothing. */
function inZone(time: string, { dialect, timeZone }: TimePlace): string {
  return isInUtc({ timeZone }) ? time : dialect.times.inZone(time, timeZone);
}

/** Whether times without zone are those of UTC. */
export function isInUtc({ timeZone }: Pick<TimePlace, 'timeZone'>): boolean {
  return utcNames.has(timeZone);
}

const utcNames = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Z', 'Zulu', 'Etc/Zulu', 'Etc/UCT', 'UCT', 'Universal']);

function parsedText(given: string, { dialect: { times } }: TimePlace): string {
  const text = times.eraText(given);
  return `coalesce(${times.zonedText(text)}, ${times.naiveText(text)})`;
}

function textTime(given: string, place: TimePlace): string {
  const { times } = place.dialect;
  const text = times.eraText(given);
  const zoned = finite(times.zonedText(text), place);
  const naive = inZone(finite(times.naiveText(text), place), place);
  return `(CASE WHEN ${times.hasOffset(text)} THEN ${zoned} ELSE ${naive} END)`;
}

function finite(time: string, { dialect }: TimePlace): string {
  return `CASE WHEN ${dialect.times.isFinite(time)} THEN ${time} END`;
}
