import type { TimeFormat } from './number-format.ts';

/** A time as text: a date or time in ISO 8601, or hours, minutes and seconds. */
export interface TimeText {
  readonly text: string;
  readonly form: 'date' | 'time' | 'timeOfDay' | 'duration';
}

const day = 86_400_000;
/** The day before the first one of each epoch. */
const before1900 = Date.UTC(1899, 11, 31);
const first1904 = Date.UTC(1904, 0, 1);
const lastDay = Date.UTC(9999, 11, 31);

/**
 * The time of a number of days, in milliseconds as Excel shows it. Undefined for invalid days: before the epoch, after the
 * year 9999, and 29 February 1900, which Excel counts as day 60.
 */
export function serialTime(days: number, format: TimeFormat, isFrom1904: boolean): TimeText | undefined {
  const total = Math.round(days * day);
  if (format === 'duration') return { text: clockText(total), form: 'duration' };
  if ((format === 'time' || format === 'anyTime') && days >= 0 && days < 1) {
    return { text: clockText(Math.min(total, day - 1)), form: 'timeOfDay' };
  }
  const whole = Math.floor(total / day);
  const date = dateOf(whole, isFrom1904);
  if (date === undefined) return undefined;
  const rest = total - whole * day;
  if (rest === 0 && (format === 'date' || format === 'anyTime')) return { text: date, form: 'date' };
  return { text: `${date} ${clockText(rest)}`, form: 'time' };
}

function dateOf(days: number, isFrom1904: boolean): string | undefined {
  const isDay = isFrom1904 ? days >= 0 : days >= 1 && days !== 60;
  const start = isFrom1904 ? first1904 : days < 60 ? before1900 : before1900 - day;
  const time = start + days * day;
  return isDay && time <= lastDay ? new Date(time).toISOString().slice(0, 10) : undefined;
}

/** `25:30:00`, with a fraction only where there is one, as DuckDB prints times. */
function clockText(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const [hours, minutes, seconds] = [size / 3_600_000, (size / 60_000) % 60, (size / 1000) % 60].map(Math.floor);
  const fraction =
    size % 1000 === 0
      ? ''
      : `.${String(size % 1000)
          .padStart(3, '0')
          .replace(/0+$/, '')}`;
  return `${milliseconds < 0 ? '-' : ''}${pad(hours)}:${pad(minutes)}:${pad(seconds)}${fraction}`;
}

function pad(number = 0): string {
  return String(number).padStart(2, '0');
}
