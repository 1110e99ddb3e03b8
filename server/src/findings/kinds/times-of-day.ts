import { duckdb } from '../../dialects/duckdb.ts';
import type { FindingSearch, FoundFinding, SearchedGraph } from '../finding-kind.ts';
import { countOf, percent, quoted, timeColumn, timeField } from '../finding-texts.ts';
import { type ElementTimes, isOfTimes, minutesText, quarterSql } from '../read-times-of-day.ts';
import { stepTable } from '../step-tables.ts';

const { quote } = duckdb.literals;

/** A part of the times of an element are at one time of day, as where a time of day is missing. */
export const midnightTimes: FindingSearch = {
  kind: 'midnight-times',
  async find(graph) {
    return (await graph.timesOfDay()).flatMap((times) => {
      const { spike, areDates, total } = times;
      if (!spike || areDates) return [];
      const field = timeField(graph.element(times.element), times.lifecycle);
      const midnight = isMidnight(spike.minutes) ? 'midnight' : 'one time of day';
      return [
        {
          ...about(graph, times),
          kind: 'midnight-times',
          severity: 'warning',
          count: spike.events,
          of: total,
          message: `${countOf(spike.events, total, 'event')} of ${nameOf(times)} (${percent(spike.events / total)}) are at exactly ${minutesText(spike.minutes)}, ${midnight}: their time of day is probably missing, and they come before all others of their day.`,
          remedy: `Take the column that has the time of day, or read the dates by an element of their own (where) with ${field}: { column: …, atEndOfDay: true } if they mean the end of the day.`,
          flagged: spikeSql(times, spike.minutes),
          hint: { kind: 'endOfDay', field, areDates: false },
        },
      ];
    });
  },
};

/** Dates of one element beside times of another, of the same entities. */
export const datesBesideTimes: FindingSearch = {
  kind: 'dates-beside-times',
  async find(graph) {
    const times = await graph.timesOfDay();
    const dates = times.filter(({ areDates }) => areDates);
    const found = await Promise.all(dates.map((each) => datesOf(graph, each, dates)));
    return found.flat();
  },
};

async function datesOf(
  graph: SearchedGraph,
  times: ElementTimes,
  dates: readonly ElementTimes[],
): Promise<readonly FoundFinding[]> {
  const { spike, element, lifecycle, activity, total } = times;
  if (!spike) return [];
  // Days begin at the time of day that the dates have.
  const day = (time: string): string => `date_trunc('day', ${time} - INTERVAL ${spike.minutes[0] ?? 0} MINUTE)`;
  const isOfDates = (end: string, each: ElementTimes): string =>
    `(${end}_element = ${quote(each.element)}${each.activity === undefined ? '' : ` AND ${end}_activity = ${quote(each.activity)}`})`;
  const isTimed = (end: string): string => `NOT (${dates.map((each) => isOfDates(end, each)).join(' OR ')})`;
  const isOf = (end: string): string =>
    `${isOfDates(end, times)} AND ${quarterSql(`${end}_time`)} IN (${spike.minutes.join(', ')})`;
  const flagged = `SELECT DISTINCT CASE WHEN ${isOfDates('source', times)} THEN source_event_id ELSE target_event_id END AS id FROM ${stepTable}
WHERE ${day('source_time')} = ${day('target_time')} AND ((${isOf('source')} AND ${isTimed('target')}) OR (${isOf('target')} AND ${isTimed('source')}))`;
  const [row] = await graph.store.query(`SELECT count(*) AS events FROM (${flagged}) AS flagged`, graph.options);
  const count = Number(row?.['events'] ?? 0);
  if (count === 0) return [];
  const field = timeField(graph.element(element), lifecycle);
  return [
    {
      ...about(graph, times),
      kind: 'dates-beside-times',
      severity: count >= total * 0.02 ? 'warning' : 'info',
      count,
      of: total,
      message: `${nameOf(times)} has dates without a time of day. ${countOf(count, total, 'event')} come on the same day as events with a time of the same entity, and before them, which may be wrong.`,
      remedy: `If they are the later ones, ${activity === undefined ? '' : 'read them by an element of their own (where), and '}write ${field}: { column: …, atEndOfDay: true }; else take a column with the time of day.`,
      flagged,
      // The column has the times of other activities, too.
      hint: { kind: 'endOfDay', field, areDates: activity === undefined },
    },
  ];
}

/** Many times at whole hours, as where people round them. */
export const wholeHours: FindingSearch = {
  kind: 'whole-hours',
  async find(graph) {
    return (await graph.timesOfDay()).flatMap((times) => {
      const { total, spike, wholeHours: count, areRounded } = times;
      if (!areRounded) return [];
      const isPrecise = count >= (total - (spike?.events ?? 0)) * 0.99;
      return [
        {
          ...about(graph, times),
          kind: 'whole-hours',
          severity: isPrecise ? 'info' : 'warning',
          count,
          of: total,
          message: isPrecise
            ? `All times of ${nameOf(times)} are whole hours: within an hour, the order of events is not known.`
            : `${countOf(count, total, 'event')} of ${nameOf(times)} (${percent(count / total)}) are at whole hours, to the second: they were probably entered by hand, rounded or planned.`,
          remedy:
            'Take the column with the time at which the row was written, if there is one, and do not trust durations below an hour.',
          flagged: `SELECT id FROM event WHERE ${isOfTimes(times)}
AND ${quarterSql('time')} % 60 = 0 ${spike ? `AND ${quarterSql('time')} NOT IN (${spike.minutes.join(', ')})` : ''}`,
        },
      ];
    });
  },
};

function about(
  graph: SearchedGraph,
  { element, lifecycle }: ElementTimes,
): Pick<FoundFinding, 'element' | 'column' | 'counts'> {
  return { element, column: timeColumn(graph.element(element), lifecycle), counts: 'events' };
}

function spikeSql(times: ElementTimes, minutes: readonly number[]): string {
  return `SELECT id FROM event WHERE ${isOfTimes(times)} AND ${quarterSql('time')} IN (${minutes.join(', ')})`;
}

function nameOf({ element, activity }: ElementTimes): string {
  return quoted(activity ?? element);
}

function isMidnight(minutes: readonly number[]): boolean {
  return minutes.length > 1 || minutes[0] === 0;
}
