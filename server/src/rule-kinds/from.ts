import { valueText } from '../../../protocol/measure-outcome.ts';
import type { TimeLimit } from '../model/duration.ts';
import type { ExpectationOf } from '../model/process-rule.ts';
import { eventTable, interval, isOpen, judgedAnchor } from './event-tables.ts';
import type { JudgedGraphTables } from './judged-tables.ts';
import { type MemberSql, inMembers } from './members.ts';
import type { JudgedSubject, RuleKind } from './rule-kind.ts';
import { verdict } from './verdict.ts';

type TimeExpectation = ExpectationOf<'from'>;

/** The time from an event of one activity to the next one of another. */
export const from: RuleKind<'from'> = {
  fields: 'from and to',
  needs: 'The time from an activity ends with another one. Add to.',
  mistakes({ atLeast, atMost, range }) {
    return atLeast || atMost ? [] : [{ range, message: 'It sets no limit to the time. Add atLeast or atMost.' }];
  },
  limits({ from: begin, to, take, lifecycle, of, atLeast, atMost }) {
    const about = ['time', begin.value, to.value, take, lifecycle, of?.value];
    return {
      about,
      min: atLeast?.value.milliseconds ?? 0,
      max: atMost?.value.milliseconds ?? Infinity,
      reach: Infinity,
    };
  },
  text({ from: begin, to, atLeast, atMost, of }) {
    const limits = [
      ...(atLeast ? [`at least ${atLeast.value.text}`] : []),
      ...(atMost ? [`at most ${atMost.value.text}`] : []),
    ];
    return `${limits.join(' and ')} from ${begin.value} to ${to.value}${of ? ` of ${of.value}` : ''}`;
  },
  /** Microseconds are found. */
  foundText(found, { workingTime }) {
    if (found === null) return 'the end is missing';
    return `it took ${valueText(found / 1000, workingTime ? 'working ms' : 'ms')}`;
  },
  hasTrigger: ({ from: begin }, activity) => begin.value !== activity,
  judge(expectation, judged) {
    const { tables, select } = timeSpans(expectation, judged);
    return inMembers({ tables, select: judgeTime(select, expectation, judged.graph) }, expectation.of, judged);
  },
};

/** Selects rows `judged`, `began` and `ended`; `ended` is NULL if no event followed. */
function timeSpans(
  { from: begin, to, take, lifecycle }: TimeExpectation,
  { activity, graph }: JudgedSubject,
): MemberSql {
  const { judging } = graph.dialect.build;
  const starts = eventTable('start_event', begin.value, lifecycle, graph);
  // Ids are in the order of time.
  const first = 'first_event AS (SELECT entity, min(id) AS id, min(time) AS time FROM start_event GROUP BY entity)';
  const isJudgedBegin = begin.value === activity;
  if (to.value === activity && !isJudgedBegin) {
    // The judged event is the end.
    return take === 'first'
      ? {
          tables: [starts, first],
          select:
            'SELECT member.judged, first_event.time AS began, member.time AS ended FROM member JOIN first_event ON first_event.entity = member.entity AND first_event.id < member.judged',
        }
      : {
          tables: [starts, judgedAnchor],
          select: `SELECT judged, near AS began, time AS ended FROM (${judging.nearest('anchor', 'start_event', 'before')}) AS placed WHERE near IS NOT NULL`,
        };
  }
  const last = 'last_event AS (SELECT entity, max(id) AS id, max(time) AS time FROM start_event GROUP BY entity)';
  const chosen = { each: [], first: [first], last: [last] }[take];
  const began = { each: 'start_event', first: 'first_event', last: 'last_event' }[take];
  const anchor = isJudgedBegin
    ? [judgedAnchor]
    : [
        starts,
        ...chosen,
        `anchor AS (SELECT member.judged, began.entity, began.id, began.time FROM member JOIN ${began} AS began ON began.entity = member.entity)`,
      ];
  // With one beginning for each judged entity or event, the first later end is found without sorting.
  const isOne = !isJudgedBegin && take !== 'each';
  return {
    tables: [eventTable('end_event', to.value, lifecycle, graph), ...anchor],
    select: isOne
      ? 'SELECT anchor.judged, anchor.time AS began, min(end_event.time) AS ended FROM anchor LEFT JOIN end_event ON end_event.entity = anchor.entity AND end_event.id > anchor.id GROUP BY anchor.judged, anchor.entity, anchor.time'
      : `SELECT judged, time AS began, near AS ended FROM (${judging.nearest('anchor', 'end_event', 'after')}) AS placed`,
  };
}

function judgeTime(spans: string, { atLeast, atMost }: TimeExpectation, graph: JudgedGraphTables): string {
  const { microseconds } = graph.dialect.build.judging;
  const between = `${microseconds('ended')} - ${microseconds('began')}`;
  const conditions = [
    ...(atLeast ? [`${between} < ${microsecondsOf(atLeast)}`] : []),
    ...(atMost ? [`${between} > ${microsecondsOf(atMost)}`] : []),
  ];
  // Without an end, the rule is broken after its deadline; without a deadline, it is kept.
  const [limit, late] = atMost
    ? [atMost.value.milliseconds, verdict.broken]
    : [atLeast?.value.milliseconds ?? 0, verdict.kept];
  const missing = `CASE WHEN ${isOpen(`began + ${interval(limit, graph)}`, graph)} THEN ${verdict.pending} ELSE ${late} END`;
  return `SELECT judged, CASE WHEN ended IS NULL THEN ${missing} WHEN ${conditions.join(' OR ')} THEN ${verdict.broken} ELSE ${verdict.kept} END AS verdict, ${between} AS found FROM (${spans}) AS span`;
}

function microsecondsOf({ value }: { readonly value: TimeLimit }): number {
  return Math.round(value.milliseconds * 1000);
}
