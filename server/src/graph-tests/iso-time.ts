const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

interface IsoTime {
  readonly date: string;
  /** `10:00:00` and six digits of the second; undefined for a date alone. */
  readonly clock: string | undefined;
  /** `Z` or `+01:00`; undefined for a time without one. */
  readonly offset: string | undefined;
}

/** Reads an ISO 8601 date or time; undefined for other texts, and for days and hours that do not exist. */
export function readIsoTime(text: string): IsoTime | undefined {
  const [, date, minutes, seconds = '00', fraction = '', offset] = pattern.exec(text) ?? [];
  if (date === undefined) return undefined;
  const clock = minutes === undefined ? undefined : `${minutes}:${seconds}.${fraction.padEnd(6, '0')}`;
  const time = Date.parse(`${date}T${clock?.slice(0, 8) ?? '00:00:00'}Z`);
  // `Date.parse` moves 30 February to March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== date) return undefined;
  return { date, clock, offset: offset === undefined ? undefined : fullOffset(offset) };
}

function fullOffset(offset: string): string {
  if (/^z$/i.test(offset)) return 'Z';
  const digits = offset.slice(1).replace(':', '');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2).padEnd(2, '0')}`;
}
