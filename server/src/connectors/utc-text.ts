import { isInstant, offsetMilliseconds, zoneOffsets } from '../model/zone-offsets.ts';

/**
 * Converts a timestamp printed by PostgreSQL (`2024-03-31 10:00:00.5+02`, `0044-03-15 12:00:00 BC`, `infinity`) to ISO
 * 8601 in UTC with microseconds. Without an offset it is in `timeZone` (docs/semantics.md#82-times-without-zone). Other
 * texts stay unchanged.
 */
export function utcTextReader(timeZone: string): (text: string) => string {
  const offsetAt = zoneOffsets(timeZone);
  return (text) => {
    const match = pattern.exec(text);
    if (!match) return text;
    const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', offset, era] = match;
    const astronomicalYear = era ? 1 - Number(year) : Number(year);
    const local = utcMilliseconds(
      astronomicalYear,
      Number(month),
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    );
    const milliseconds = offset === undefined ? fromZone(local, offsetAt) : local - offsetMilliseconds(offset);
    // Beyond the range of `Date` (year 275760) the text is not converted.
    if (!isInstant(milliseconds)) return text;
    return `${new Date(milliseconds).toISOString().slice(0, -5)}.${fraction.padEnd(6, '0')}Z`;
  };
}

/** Converts the UTC time of a local time in one zone to the UTC time of the same local time in another zone. */
export function movedBetweenZones(from: string, to: string): (text: string) => string {
  const offsetAt = zoneOffsets(from);
  const read = utcTextReader(to);
  return (text) => {
    const [, whole = '', fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{1,6})Z$/.exec(text) ?? [];
    if (whole === '') return text;
    const instant = Date.parse(`${whole}Z`);
    const local = new Date(instant + offsetAt(instant)).toISOString().slice(0, 19);
    return read(`${local.replace('T', ' ')}.${fraction}`);
  };
}

/**
 * Converts a date printed by PostgreSQL (`0044-03-15 BC`) to ISO 8601. Other texts, and dates beyond the range of
 * `Date`, stay unchanged.
 */
export function isoDate(text: string): string {
  const [, year = '', month = '', day = '', era] = /^(\d{4,})-(\d\d)-(\d\d)( BC)?$/.exec(text) ?? [];
  if (year === '') return text;
  const milliseconds = utcMilliseconds(era ? 1 - Number(year) : Number(year), Number(month), Number(day), 0, 0, 0);
  return isInstant(milliseconds) ? new Date(milliseconds).toISOString().replace(/T.*/, '') : text;
}

const pattern = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-]\d\d(?::\d\d){0,2})?( BC)?$/;

function utcMilliseconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number {
  // Date.UTC would read the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(hour, minute, second);
}

/**
 * In a gap the time moves forward, in an overlap the earlier offset applies: in both cases the offset before the change
 * is used.
 */
function fromZone(local: number, offsetAt: (instant: number) => number): number {
  if (!isInstant(local)) return local;
  const day = 86_400_000;
  const before = offsetAt(local - day);
  const after = offsetAt(local + day);
  const withBefore = local - before;
  if (before === after || offsetAt(withBefore) === before) return withBefore;
  const withAfter = local - after;
  return offsetAt(withAfter) === after ? withAfter : withBefore;
}
