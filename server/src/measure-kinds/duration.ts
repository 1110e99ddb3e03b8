import type { Located } from '../model/source-range.ts';
import type { MeasuredDuration } from '../model/measure.ts';
import { eventTable, nowSql } from '../rule-kinds/event-tables.ts';
import type { JudgedSubject } from '../rule-kinds/rule-kind.ts';
import type { MeasureKind, MeasuredSql } from './measure-kind.ts';

/** The time between two events. */
export const duration: MeasureKind<'duration'> = {
  isTime: true,
  mistakes({ duration: { range, from, to, sincePrevious, sinceLast, of, lifecycleAt } }, activity) {
    const mistake = (place: Located<unknown> | undefined, message: string) => [
      { range: place?.range ?? range, message },
    ];
    const [first, second] = [sincePrevious, sinceLast, from ?? to].filter((part) => part !== undefined);
    if (first && second)
      return mistake(second, 'A duration is sincePrevious, sinceLast, or from and to. Remove all but one of them.');
    if (of && activity === undefined) return mistake(of, 'A measured entity is the one whose events count. Remove of.');
    if (sincePrevious && activity === undefined)
      return mistake(sincePrevious, 'Only events have an event before. Write each: { activity: … }, or from and to.');
    if (sinceLast && activity !== undefined)
      return mistake(sinceLast, 'Only entities have a last event. Write each: { entityType: … }.');
    if (from && !to) return mistake(from, 'The time from an activity ends with another one. Add to.');
    if (to && !from) return mistake(to, 'The time to an activity begins with another one. Add from.');
    if (lifecycleAt && !from)
      return [{ range: lifecycleAt, message: 'Only from and to have a lifecycle. Add them, or remove lifecycle.' }];
    if (activity === undefined || sincePrevious) return [];
    if (!from) return mistake(undefined, 'The time of an event is sincePrevious, or from and to. Add one of them.');
    if (from.value !== activity && to?.value !== activity)
      return mistake(from, `The time of an event is from or to it. Write ${activity} as from or to.`);
    return [];
  },
  text({ duration: { from, to, sincePrevious, sinceLast } }) {
    if (sincePrevious) return 'time since the event before';
    if (sinceLast) return 'time since the last event';
    return from && to ? `time from ${from.value} to ${to.value}` : 'time from first to last event';
  },
  of: ({ duration: { of } }) => of?.value,
  measure({ duration: measured }, subject) {
    if (measured.sincePrevious) return sincePrevious(subject);
    const { from, to } = measured;
    if (from && to) return between(measured, from.value, to.value, subject);
    return firstToLast(measured.sinceLast !== undefined, subject);
  },
};

function firstToLast(isUntilNow: boolean, subject: JudgedSubject): MeasuredSql {
  const { graph } = subject;
  const [began, ended] = isUntilNow ? ['life.ended', nowSql(graph)] : ['life.began', 'life.ended'];
  return {
    tables: [
      eventTable('any_event', undefined, 'any', graph),
      'life AS (SELECT entity, min(time) AS began, max(time) AS ended FROM any_event GROUP BY entity)',
    ],
    select: withTimes(began, ended, 'life', 'life.entity = member.entity'),
  };
}

function sincePrevious(subject: JudgedSubject): MeasuredSql {
  const { table } = subject.graph;
  const select = `SELECT member.entity, member.event, previous.time AS began, member.time AS ended
FROM member LEFT JOIN ${table('directly_follows')} AS edge ON edge.entity_id = member.entity AND edge.target_event_id = member.event
LEFT JOIN ${table('event')} AS previous ON previous.id = edge.source_event_id`;
  return { tables: [], select };
}

function between({ take, lifecycle }: MeasuredDuration, from: string, to: string, subject: JudgedSubject): MeasuredSql {
  const { activity, graph } = subject;
  const starts = eventTable('start_event', from, lifecycle, graph);
  const ends = eventTable('end_event', to, lifecycle, graph);
  if (from === activity) {
    return {
      tables: [ends, judgedAnchor],
      select: nearest('end_event', 'after', subject),
    };
  }
  if (to === activity && take !== 'first') {
    return { tables: [starts, judgedAnchor], select: nearest('start_event', 'before', subject) };
  }
  const first = 'first_event AS (SELECT entity, min(id) AS id, min(time) AS time FROM start_event GROUP BY entity)';
  if (to === activity) {
    const on = 'first_event.entity = member.entity AND first_event.id < member.event';
    return { tables: [starts, first], select: withTimes('first_event.time', 'member.time', 'first_event', on) };
  }
  if (take === 'each') {
    const anchor = 'anchor AS (SELECT id AS judged, entity, id, time FROM start_event)';
    return { tables: [starts, ends, anchor], select: nearestOfEach(subject) };
  }
  const last = 'last_event AS (SELECT entity, max(id) AS id, max(time) AS time FROM start_event GROUP BY entity)';
  const began = take === 'first' ? 'first_event' : 'last_event';
  const span = `span AS (SELECT began.entity, began.time AS began, min(end_event.time) AS ended
FROM ${began} AS began LEFT JOIN end_event ON end_event.entity = began.entity AND end_event.id > began.id GROUP BY began.entity, began.time)`;
  return {
    tables: [starts, ends, take === 'first' ? first : last, span],
    select: withTimes('span.began', 'span.ended', 'span', 'span.entity = member.entity'),
  };
}

/** The measured event itself. */
const judgedAnchor =
  'anchor AS (SELECT event AS judged, entity, event AS id, time FROM member WHERE entity IS NOT NULL)';

/** From or to the measured event. */
function nearest(events: string, side: 'after' | 'before', subject: JudgedSubject): string {
  const { judging } = subject.graph.dialect.build;
  const [began, ended] = side === 'after' ? ['placed.time', 'placed.near'] : ['placed.near', 'placed.time'];
  const placed = `(${judging.nearest('anchor', events, side)}) AS placed`;
  const on = 'placed.entity = member.entity AND placed.judged = member.event';
  return withTimes(began, ended, placed, on);
}

/** From each of several events of an entity. */
function nearestOfEach(subject: JudgedSubject): string {
  const { judging } = subject.graph.dialect.build;
  return `SELECT member.entity, placed.judged AS event, placed.time AS began, placed.near AS ended
FROM member LEFT JOIN (${judging.nearest('anchor', 'end_event', 'after')}) AS placed ON placed.entity = member.entity`;
}

function withTimes(began: string, ended: string, table: string, on: string): string {
  return `SELECT member.entity, member.event, ${began} AS began, ${ended} AS ended FROM member LEFT JOIN ${table} ON ${on}`;
}
