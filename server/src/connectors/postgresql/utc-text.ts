/**
 * A timestamp as PostgreSQL prints it (`2024-03-31 10:00:00.5+02`, `0044-03-15 12:00:00 BC`, `infinity`) as ISO 8601 in UTC
 * with microseconds. Without offset it is read in `timeZone`, as design rule 5 asks. What is no time stays as it is.
 */
export function utcText(text: string, timeZone: string | undefined): string {
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
  const milliseconds =
    offset !== undefined || timeZone === undefined
      ? local - offsetMilliseconds(offset ?? '+00')
      : fromZone(local, timeZone);
  // Beyond what Date covers (year 275760) there is nothing to convert with.
  if (!Number.isFinite(new Date(milliseconds).getTime())) return text;
  return `${new Date(milliseconds).toISOString().slice(0, -5)}.${fraction.padEnd(6, '0')}Z`;
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

function offsetMilliseconds(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

/** In a gap the time moves forward, in an overlap the earlier offset (the one before the change) holds: both are the offset of a day before. */
function fromZone(local: number, timeZone: string): number {
  if (timeZone === 'UTC' || !Number.isFinite(new Date(local).getTime())) return local;
  const day = 86_400_000;
  const before = zoneOffset(local - day, timeZone);
  const after = zoneOffset(local + day, timeZone);
  const withBefore = local - before;
  if (before === after || zoneOffset(withBefore, timeZone) === before) return withBefore;
  const withAfter = local - after;
  return zoneOffset(withAfter, timeZone) === after ? withAfter : withBefore;
}

function zoneOffset(instant: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  return name === 'GMT' ? 0 : offsetMilliseconds(name.slice(3));
}
