import { type Calendar, dayOfDate, workingDay } from '../model/calendar.ts';
import { zoneSteps } from '../model/zone-offsets.ts';

const dayMicroseconds = 86_400_000_000;
/** Whole weeks, so that days before 1970 have positive numbers, which every engine divides alike. */
const shiftedDays = 7 * 30_000;

/**
 * A SELECT of `entity`, `event` and `value`: the milliseconds of working time between two times, by the clock on the
 * wall. It is the difference of the working time up to both, which follows from the day, its week and the holidays before
 * it.
 * @param times a SELECT of `entity`, `event`, and `began` and `ended` as microseconds from 1970
 */
export function workingTimeSql(times: string, calendar: Calendar): string {
  const ends = ['began', 'ended'] as const;
  const local = ends.map((end) => `${end} + ${offsetSql(end, calendar)} + ${shiftedDays * dayMicroseconds} AS ${end}`);
  const days = ends.flatMap((end) => [
    `CAST((${end} - ${end} % ${dayMicroseconds}) / ${dayMicroseconds} AS BIGINT) AS ${end}_day`,
    `${end} % ${dayMicroseconds} AS ${end}_time`,
  ]);
  // 1970-01-01 was a Thursday.
  const weeks = ends.map((end) => `(${end}_day + 3) % 7 AS ${end}_weekday`);
  return `SELECT entity, event, CAST(${workedUntil('ended', calendar)} - (${workedUntil('began', calendar)}) AS DOUBLE PRECISION) / 1000 AS value FROM (
  SELECT entity, event, began_day, began_time, ended_day, ended_time, ${weeks.join(', ')} FROM (
    SELECT entity, event, ${days.join(', ')} FROM (
      SELECT entity, event, ${local.join(', ')} FROM (
${times}
      ) AS span
    ) AS local_span
  ) AS day_span
) AS week_span`;
}

/** Microseconds of working time up to a local time, in the columns `<end>_day`, `<end>_time` and `<end>_weekday`. */
function workedUntil(end: 'began' | 'ended', calendar: Calendar): string {
  const days = calendar.days?.value ?? [];
  const holidays = workingHolidays(calendar);
  const [day, time, weekday] = [`${end}_day`, `${end}_time`, `${end}_weekday`];
  const before = Array.from({ length: 7 }, (_, index) => days.filter((each) => each < index).length);
  const ofWeek = `CASE ${weekday} ${before.map((count, index) => `WHEN ${index} THEN ${count}`).join(' ')} END`;
  const weeks = `CAST((${day} + 3 - ${weekday}) / 7 AS BIGINT) * ${days.length}`;
  const offDays = holidays.map((holiday) => ` - CASE WHEN ${day} > ${holiday} THEN 1 ELSE 0 END`).join('');
  const hours = (calendar.hours?.value ?? []).map(
    ([from, to]) => `greatest(0, least(${time}, ${to * 60_000_000}) - ${from * 60_000_000})`,
  );
  const isOff = holidays.length === 0 ? '' : ` AND ${day} NOT IN (${holidays.join(', ')})`;
  const today = `CASE WHEN ${weekday} IN (${days.join(', ')})${isOff} THEN ${hours.join(' + ')} ELSE 0 END`;
  return `(${weeks} + ${ofWeek}${offDays}) * ${workingDay(calendar) * 1000} + ${today}`;
}

/** The holidays on working days, as numbers of days. */
function workingHolidays({ holidays, days }: Calendar): readonly number[] {
  const found = holidays.flatMap(({ value }) => {
    const day = dayOfDate(value);
    return day !== undefined && days?.value?.includes((((day + 3) % 7) + 7) % 7) ? [day + shiftedDays] : [];
  });
  return [...new Set(found)].toSorted((one, other) => one - other);
}

/** The offset of the zone at a time, in microseconds: a search in the middle of its changes. */
function offsetSql(time: string, { timeZone }: Calendar): string {
  const steps = zoneSteps(timeZone?.value ?? 'UTC');
  const changes = steps.map(({ until, offset }, index) => ({
    offset: offset * 1000,
    until: (until - Math.max(offset, steps[index + 1]?.offset ?? offset)) * 1000,
  }));
  return search(0, changes.length - 1);

  function search(first: number, last: number): string {
    if (first === last) return String(changes[first]?.offset);
    const middle = Math.floor((first + last) / 2);
    return `CASE WHEN ${time} < ${changes[middle]?.until} THEN ${search(first, middle)} ELSE ${search(middle + 1, last)} END`;
  }
}
