import type { Located, SourceRange } from './source-range.ts';
import { timeZones } from './time-zones.ts';

/** The working time of an entry of `calendars` (docs/semantics.md#184-calendars). */
export interface Calendar {
  readonly name: Located<string>;
  readonly range: SourceRange;
  readonly timeZone?: Located<string>;
  /** Working days of the week, from 0 for Monday; undefined for what cannot be read. */
  readonly days?: Located<readonly number[] | undefined>;
  /** Working hours of a working day, in minutes from midnight; undefined for what cannot be read. */
  readonly hours?: Located<readonly WorkingHours[] | undefined>;
  /** Dates such as `2026-12-25`. */
  readonly holidays: readonly Located<string>[];
  /** There is only a name. */
  readonly isEmpty?: boolean;
}

/** From, inclusive, to, exclusive. */
type WorkingHours = readonly [from: number, to: number];

export const weekDays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** Reads `Mon-Fri`, `Sat, Sun` or `Sun-Thu`: the days of the week from 0 for Monday; undefined for anything else. */
export function parseDays(text: string): readonly number[] | undefined {
  const days = text.split(',').map((part) => {
    const [from = -1, to = from, ...more] = part
      .split('-')
      .map((name) => weekDays.findIndex((day) => day === name.trim()));
    if (from < 0 || to < 0 || more.length > 0) return undefined;
    const count = ((to - from + 7) % 7) + 1;
    return Array.from({ length: count }, (_, index) => (from + index) % 7);
  });
  if (days.includes(undefined)) return undefined;
  return [...new Set(days.flatMap((each) => each ?? []))].toSorted((one, other) => one - other);
}

/** Reads `08:00-12:00, 13:00-17:00`: in order, without overlap, up to 24:00; undefined for anything else. */
export function parseHours(text: string): readonly WorkingHours[] | undefined {
  const hours = text.split(',').map((part): WorkingHours | undefined => {
    const [, fromHour, fromMinute, toHour, toMinute] =
      /^\s*(\d\d):([0-5]\d)\s*-\s*(\d\d):([0-5]\d)\s*$/u.exec(part)?.map(Number) ?? [];
    if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined)
      return undefined;
    return [fromHour * 60 + fromMinute, toHour * 60 + toMinute];
  });
  let end = 0;
  for (const each of hours) {
    if (!each || each[0] < end || each[1] <= each[0] || each[1] > 1440) return undefined;
    end = each[1];
  }
  return hours.flatMap((each) => (each ? [each] : []));
}

/** The days from 1970-01-01 to a date such as `2026-12-25`; undefined for a date that does not exist. */
export function dayOfDate(date: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d$/u.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN;
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
  return isReal ? time / 86_400_000 : undefined;
}

/** The working time of a working day, in milliseconds. */
export function workingDay({ hours }: Calendar): number {
  return (hours?.value ?? []).reduce((sum, [from, to]) => sum + to - from, 0) * 60_000;
}

/** A value that cannot be read, and how it is written. */
interface CalendarMistake {
  readonly range: SourceRange;
  readonly message: string;
}

/** Values of a calendar that cannot be read. */
export function calendarMistakes({ name, days, hours, holidays, isEmpty }: Calendar): readonly CalendarMistake[] {
  if (isEmpty)
    return [{ range: name.range, message: `The calendar "${name.value}" is empty. Add timeZone, days and hours.` }];
  const unread = (value: Calendar['days'] | Calendar['hours'], message: string): readonly CalendarMistake[] =>
    value && !value.value?.length ? [{ range: value.range, message }] : [];
  return [
    ...unread(days, 'Working days are written like Mon-Fri, or [Mon, Wed]. Correct days.'),
    ...unread(
      hours,
      'Working hours are written like "08:00-12:00, 13:00-17:00", in order and within a day. Correct hours.',
    ),
    ...holidays
      .filter(({ value }) => dayOfDate(value) === undefined)
      .map(({ range, value }) => ({ range, message: `"${value}" is no date. Write it like 2026-12-25.` })),
  ];
}

/** Whether working time can be counted by a calendar. */
export function isUsable(calendar: Calendar): boolean {
  const { timeZone, days, hours } = calendar;
  const isWhole = timeZones.has(timeZone?.value ?? '') && days !== undefined && hours !== undefined;
  return isWhole && calendarMistakes(calendar).length === 0;
}
