import { judgingOfNumbers } from '../dialects/standard/judging.ts';
import { type Calendar, dayOfDate, workingDay } from '../model/calendar.ts';
import { zoneSteps } from '../model/zone-offsets.ts';
import { nowSql } from './event-tables.ts';
import type { JudgedGraphTables } from './judged-tables.ts';

const dayMicroseconds = 86_400_000_000;
/** Whole weeks, so that days before 1970 have positive numbers, which every engine divides alike. */
const shiftedDays = 7 * 30_000;

/**
 * A graph whose times count working time, by the clock on the wall: whole numbers of microseconds, whose differences are
 * the working time between them.
 */
export function onWorkingClock(graph: JudgedGraphTables, calendar: Calendar): JudgedGraphTables {
  const { dialect } = graph;
  const { judging } = dialect.build;
  const worked = (select: string, columns: readonly string[]): string => {
    const timed = `SELECT ${[...columns, `${judging.microseconds('time')} AS time`].join(', ')} FROM (\n${select}\n) AS timed`;
    return workedSql(timed, { columns, times: ['time'] }, calendar, graph);
  };
  return {
    ...graph,
    dialect: { ...dialect, build: { ...dialect.build, judging: judgingOfNumbers(judging) } },
    worked,
    now: `(SELECT time FROM (\n${worked(`SELECT ${nowSql(graph)} AS time`, [])}\n) AS clock)`,
  };
}

/**
 * A SELECT of columns of another one, and of its times as the microseconds of working time up to them. They follow from
 * the day, its week and the holidays before it.
 * @param select its times are microseconds from 1970
 */
export function workedSql(
  select: string,
  { columns, times }: { readonly columns: readonly string[]; readonly times: readonly string[] },
  calendar: Calendar,
  { dialect }: Pick<JudgedGraphTables, 'dialect'>,
): string {
  const local = times.map((time) => `${localSql(time, calendar)} + ${shiftedDays * dayMicroseconds} AS ${time}`);
  const days = times.flatMap((time) => [
    `CAST((${time} - ${time} % ${dayMicroseconds}) / ${dayMicroseconds} AS BIGINT) AS ${time}_day`,
    `${time} % ${dayMicroseconds} AS ${time}_time`,
  ]);
  const parts = times.flatMap((time) => [`${time}_day`, `${time}_time`]);
  // 1970-01-01 was a Thursday.
  const weeks = times.map((time) => `(${time}_day + 3) % 7 AS ${time}_weekday`);
  const worked = times.map((time) => `${workedUntil(time, calendar)} AS ${time}`);
  const list = (...names: readonly string[]): string => [...columns, ...names].join(', ');
  // Materialized, because PostgreSQL would copy the search for the offset to each place where the local time is named.
  return `WITH local_span AS ${dialect.build.judging.keptTable}(
  SELECT ${list(...local)} FROM (\n${select}\n) AS span
)
SELECT ${list(...worked)} FROM (
  SELECT ${list(...parts, ...weeks)} FROM (
    SELECT ${list(...days)} FROM local_span
  ) AS day_span
) AS week_span`;
}

/** Microseconds of working time up to a local time, in the columns `<end>_day`, `<end>_time` and `<end>_weekday`. */
function workedUntil(end: string, calendar: Calendar): string {
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

/**
 * The local time of a time, in microseconds: a search in the middle of the changes of the zone. Where the clock is put
 * back, it stands still until its time comes again, so that no hour of work counts twice.
 */
function localSql(time: string, { timeZone }: Calendar): string {
  const steps = zoneSteps(timeZone?.value ?? 'UTC');
  const pieces = steps.flatMap(
    ({ until, offset }, index): readonly { readonly until: number; readonly local: string }[] => {
      const next = steps[index + 1]?.offset ?? offset;
      const change = (until - Math.max(offset, next)) * 1000;
      const runs = { until: change, local: `${time} + ${offset * 1000}` };
      return next < offset ? [runs, { until: change + (offset - next) * 1000, local: String(until * 1000) }] : [runs];
    },
  );
  return search(0, pieces.length - 1);

  function search(first: number, last: number): string {
    if (first === last) return pieces[first]?.local ?? time;
    const middle = Math.floor((first + last) / 2);
    return `CASE WHEN ${time} < ${pieces[middle]?.until} THEN ${search(first, middle)} ELSE ${search(middle + 1, last)} END`;
  }
}
