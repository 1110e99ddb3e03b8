import type { StagedColumn } from '../../connectors/connector.ts';
import { isUtcName } from '../../model/utc-names.ts';
import type { BuildDialect } from './build-dialect.ts';

/** Engine and default zone of times. */
export interface TimePlace {
  readonly dialect: BuildDialect;
  readonly timeZone: string;
}

/** A staged column in the role of a time. */
export interface StagedTime extends StagedColumn {
  /** Its dates are the ends of their days (docs/semantics.md#87-the-end-of-a-day). */
  readonly isEndOfDay?: boolean;
}

/**
 * SQL of the UTC time of a staged timestamp, date or text (docs/semantics.md#8-time): NULL when missing or infinite. A
 * time without zone is in the given zone; in a daylight saving gap it moves forward, in an overlap the earlier offset
 * applies.
 */
export function utcTime(column: StagedTime, given: TimePlace, expression: string = column.stagedAs): string {
  const place = placeOfColumn(column, given);
  if (column.sense === 'text') return textTime(expression, place);
  const { type, isFinite, endOfDay } = place.dialect.times;
  if (column.isEndOfDay === true) {
    return inZone(`CASE WHEN ${isFinite(`CAST(${expression} AS ${type})`)} THEN ${endOfDay(expression)} END`, place);
  }
  const isTime = column.stagedType.toUpperCase() === type.toUpperCase();
  const time = isTime ? expression : `CAST(${expression} AS ${type})`;
  const known = finite(time, place);
  return column.zoned === true ? known : inZone(known, place);
}

/** The engine of a build, with the time zone of a column. */
export function placeOfColumn<Place extends TimePlace>(
  { timeZone }: Pick<StagedColumn, 'timeZone'>,
  place: Place,
): Place {
  return timeZone === undefined ? place : { ...place, timeZone };
}

/** Whether a column type can contain times. */
export function isTimeColumn(column: { readonly sense: StagedColumn['sense'] }): boolean {
  return column.sense === 'timestamp' || column.sense === 'date' || column.sense === 'text';
}

/** SQL that is true for a text that is not a time. */
export function isNoTime(column: StagedColumn, place: TimePlace): string {
  if (column.sense !== 'text') return 'false';
  return `(${column.stagedAs} IS NOT NULL AND ${parsedText(column.stagedAs, place)} IS NULL)`;
}

/** SQL that is true for an infinite time, which counts as missing (docs/semantics.md#83-infinity-is-missing). */
export function isInfinite(column: StagedColumn, place: TimePlace): string {
  const time = column.sense === 'text' ? parsedText(column.stagedAs, place) : column.stagedAs;
  return `NOT ${place.dialect.times.isFinite(time)}`;
}

/** SQL of the UTC time of a time without zone; free for zones without an offset. */
function inZone(time: string, { dialect, timeZone }: TimePlace): string {
  return isInUtc({ timeZone }) ? time : dialect.times.inZone(time, timeZone);
}

/** Whether times without zone are in UTC. */
export function isInUtc({ timeZone }: Pick<TimePlace, 'timeZone'>): boolean {
  return isUtcName(timeZone);
}

function parsedText(given: string, { dialect: { times } }: TimePlace): string {
  const text = times.readableText(given);
  return `coalesce(${times.zonedText(text)}, ${times.naiveText(text)})`;
}

function textTime(given: string, place: TimePlace): string {
  const { times } = place.dialect;
  const text = times.readableText(given);
  const zoned = finite(times.zonedText(text), place);
  const naive = inZone(finite(times.naiveText(text), place), place);
  return `(CASE WHEN ${times.hasOffset(text)} THEN ${zoned} ELSE ${naive} END)`;
}

function finite(time: string, { dialect }: TimePlace): string {
  return `CASE WHEN ${dialect.times.isFinite(time)} THEN ${time} END`;
}
