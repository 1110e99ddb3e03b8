import type { TimeComparison, Times } from '../dialect.ts';
import { finePattern } from '../standard/fine-times.ts';
import { singleQuoted } from '../standard/quoting.ts';
import { formatPattern } from '../standard/format-pattern.ts';
import { areAlike, offsetPattern } from '../standard/times.ts';

export const trinoTimes: Times = {
  type: 'timestamp(6)',
  literal: (iso) => `TIMESTAMP ${singleQuoted(iso.replace('T', ' '))}`,
  movable: ['0001-01-03', '9999-12-29'],
  /** Every time is finite. */
  isFinite: (time) => `nullif(${time} IS NOT NULL, false)`,
  inZone,
  endOfDay: (date) => `CAST(CAST(${date} AS varchar) || ' 23:59:59.999999' AS timestamp(6))`,
  readableText: (text) => `(CASE WHEN NOT regexp_like(${text}, ${singleQuoted(finePattern)}) THEN ${text} END)`,
  hasOffset: (text) => `regexp_like(${text}, ${singleQuoted(offsetPattern)})`,
  zonedText: (text) => `CAST(try(${parsed(text)}) AT TIME ZONE 'UTC' AS timestamp(6))`,
  // Not `try(CAST(…))`, which no correlated subquery may contain, as it is a lambda.
  naiveText: (text) => `try_cast(replace(${text}, 'T', ' ') AS timestamp(6))`,
  written: {
    reads: () => true,
    text(column, digits) {
      const text = `CAST(${column} AS varchar)`;
      return digits === 0 ? text : `lpad(${text}, ${digits}, '0')`;
    },
    parsed(text, format, sense) {
      const parts: readonly string[] = format.match(/%[YmdHMS]/g) ?? [];
      const group = (part: string): string => `$${parts.indexOf(part) + 1}`;
      const day = ['%Y', '%m', '%d'].map(group).join('-');
      const time = ['%H', '%M', '%S']
        .filter((part) => parts.includes(part))
        .map(group)
        .join(':');
      const iso = { date: day, time, timestamp: time === '' ? day : `${day} ${time}` }[sense];
      const type = sense === 'timestamp' ? 'timestamp(6)' : sense;
      // A text of another form stays as it is, and is no time.
      return `try_cast(regexp_replace(${text}, ${singleQuoted(formatPattern(format))}, ${singleQuoted(iso)}) AS ${type})`;
    },
    atTimeOfDay: (date, time) =>
      `CAST(${date} AS timestamp(6)) + (coalesce(${time}, TIME '00:00:00') - TIME '00:00:00')`,
  },
  stored: {
    number: (text) => `CAST(${text} AS bigint)`,
    epoch: (value, unit) => `from_unixtime(${unit === 'seconds' ? value : `${value} / 1e3`})`,
    excelDays: (value) =>
      `date_add('millisecond', CAST(round(${value} * 8.64e7) AS bigint), TIMESTAMP '1899-12-30 00:00:00.000')`,
    jsonDate: (text) => `from_unixtime(CAST(regexp_extract(${text}, '-?[0-9]+') AS bigint) / 1e3)`,
  },
  utcLiteral: (iso) => `CAST(from_iso8601_timestamp_nanos(${singleQuoted(iso)}) AT TIME ZONE 'UTC' AS timestamp(6))`,
};

/** A cast refuses the `T` of ISO 8601, and the function for ISO 8601 refuses a blank in its place. */
function parsed(text: string): string {
  return `from_iso8601_timestamp_nanos(regexp_replace(trim(${text}), '^([0-9+-]+) +', '$1T'))`;
}

/** A time with zone is an instant, one without and a date are in the zone of the source. */
export const trinoTimeComparison: TimeComparison = {
  areAlike: (left, right, timeZone) => areAlike(left, right, timeZone, { isZoned, isDate }),
  operand(value, { type, timeZone: own }, timeZone) {
    if (isZoned(type)) return `CAST(${value} AT TIME ZONE 'UTC' AS timestamp(6))`;
    const time = `CAST(${value} AS timestamp(6))`;
    const { utc, wall } = conversions(own ?? timeZone);
    const later = utc(time);
    const before = `(${later} - INTERVAL '1' DAY)`;
    const earlier = `(${time} - (${wall(before)} - ${before}))`;
    return `(CASE WHEN ${wall(earlier)} = ${time} OR ${wall(later)} <> ${time} THEN ${earlier} ELSE ${later} END)`;
  },
};

function isZoned(type: string): boolean {
  return /^timestamp\b.*with time zone$/i.test(type);
}

function isDate(type: string): boolean {
  return /^date$/i.test(type);
}

/**
 * `with_timezone` takes the later offset in some overlaps. The offset of the day before is the earlier one, both there
 * and in a gap; it is wrong only shortly after a change, and then does not read back unchanged.
 */
function inZone(time: string, timeZone: string): string {
  const { utc, wall } = conversions(timeZone);
  const day = `INTERVAL '1' DAY`;
  return `(
    WITH given (t) AS (VALUES CAST(${time} AS timestamp(6))),
      engine AS (SELECT t, ${utc('t')} AS later FROM given),
      candidates AS (SELECT t, later, t - (${wall(`(later - ${day})`)} - (later - ${day})) AS earlier FROM engine)
    SELECT CASE WHEN ${wall('earlier')} = t OR ${wall('later')} <> t THEN earlier ELSE later END FROM candidates
  )`;
}

/** SQL of the instant of a local time, and of the local time of an instant, both without zone. */
function conversions(timeZone: string): Readonly<Record<'utc' | 'wall', (time: string) => string>> {
  const zone = singleQuoted(timeZone);
  return {
    utc: (wall) => `CAST(with_timezone(${wall}, ${zone}) AT TIME ZONE 'UTC' AS timestamp(6))`,
    wall: (instant) => `CAST(with_timezone(${instant}, 'UTC') AT TIME ZONE ${zone} AS timestamp(6))`,
  };
}
