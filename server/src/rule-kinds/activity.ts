import { type CountRange, countRangeText } from '../model/count-range.ts';
import type { ExpectationOf } from '../model/process-rule.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { eventTable, interval, isOpen, judgedAnchor } from './event-tables.ts';
import type { JudgedGraphTables } from './judged-tables.ts';
import { inMembers } from './members.ts';
import type { JudgedSubject, Limits, RuleKind } from './rule-kind.ts';
import { judgeCount } from './verdict.ts';

/** So many events of an activity. */
export const activity: RuleKind<'activity'> = {
  fields: 'activity',
  mistakes: (expectation) => directEnds(expectation, expectation.activity),
  limits: (expectation) => eventLimits(expectation, expectation.activity.value, rangeOf(expectation.count)),
  text(expectation) {
    return `${expectation.activity.value} ${timesText(rangeOf(expectation.count))}${placeText(expectation)}`;
  },
  foundText: foundEvents,
  hasTrigger: countsFromEvents,
  judge: (expectation, judged) =>
    judgeEvents(expectation, expectation.activity.value, rangeOf(expectation.count), judged),
};

/** Ends have no directly-follows edges, so that nothing is directly next to them. */
export function directEnds(
  { directly, lifecycle }: EventExpectation,
  { range }: Located<string>,
): readonly Pick<Problem, 'range' | 'message'>[] {
  if (!directly || lifecycle !== 'end') return [];
  const message =
    'The next event of an entity is never an end, which counts with its start. Remove directly: true or lifecycle: end.';
  return [{ range, message }];
}

/** The required number of events or related entities. */
export function rangeOf(count: { readonly value: CountRange } | undefined): CountRange {
  return count?.value ?? { min: 1 };
}

/** Such as `at least 1 time`. */
export function timesText(range: CountRange): string {
  const isOne = range.max === 1 || (range.max === undefined && range.min === 1);
  return `${countRangeText(range)} ${isOne ? 'time' : 'times'}`;
}

type EventExpectation = ExpectationOf<'activity' | 'never'>;

/** Where events are counted, such as ` within 5 d after Open Incident`. */
export function placeText({ after, before, within, directly, of }: EventExpectation): string {
  const isNearJudged = !after && !before && (within !== undefined || directly);
  const named = after ? ` after ${after.value}` : before ? ` before ${before.value}` : isNearJudged ? ' after it' : '';
  const limit = within ? ` within ${within.value.text}` : '';
  return `${limit}${directly ? ' directly' : ''}${named}${of ? ` of ${of.value}` : ''}`;
}

export function foundEvents(found: number | null): string {
  return `found ${found === 1 ? '1 event' : `${found ?? 0} events`}`;
}

export function eventLimits(
  { after, before, directly, lifecycle, of, within }: EventExpectation,
  target: string,
  { min, max = Infinity }: CountRange,
): Limits {
  const about = ['events', target, after?.value, before?.value, directly, lifecycle, of?.value];
  return { about, min, max, reach: within?.value.milliseconds ?? Infinity };
}

/** Judges the number of events of an activity. */
export function judgeEvents(
  expectation: EventExpectation,
  targetActivity: string,
  range: CountRange,
  judged: JudgedSubject,
): string {
  const { graph } = judged;
  const target = eventTable('target', targetActivity, expectation.lifecycle, graph);
  const anchor = anchorTables(expectation, judged);
  const { tables = [], counted } = anchor
    ? countedAround(expectation, range, judged)
    : {
        tables: ['counted AS (SELECT entity, count(*) AS number FROM target GROUP BY entity)'],
        counted:
          'SELECT member.judged, coalesce(counted.number, 0) AS found, FALSE AS is_open FROM member LEFT JOIN counted ON counted.entity = member.entity',
      };
  const sql = { tables: [target, ...(anchor ?? []), ...tables], select: judgeCount(counted, range) };
  return inMembers(sql, expectation.of, judged);
}

/** Whether events are counted from others than the judged event. */
export function countsFromEvents(expectation: EventExpectation, judgedActivity: string | undefined): boolean {
  return (expectation.after ?? expectation.before) !== undefined && !isJudgedAnchor(expectation, judgedActivity);
}

/**
 * The anchor events from which limits count: tables up to `anchor`. Undefined if the expectation is about the whole
 * entity.
 */
function anchorTables(expectation: EventExpectation, judged: JudgedSubject): readonly string[] | undefined {
  const named = (expectation.after ?? expectation.before)?.value;
  if (isJudgedAnchor(expectation, judged.activity)) return [judgedAnchor];
  if (named === undefined) return undefined;
  return [
    eventTable('named', named, expectation.lifecycle, judged.graph),
    'anchor AS (SELECT member.judged, named.entity, named.id, named.time FROM member JOIN named ON named.entity = member.entity)',
  ];
}

/** Whether the judged event itself is the anchor. */
function isJudgedAnchor({ after, before }: EventExpectation, judgedActivity: string | undefined): boolean {
  const named = (after ?? before)?.value;
  return judgedActivity !== undefined && (named === undefined || named === judgedActivity);
}

/** Events beside anchors: `counted` has rows `judged`, `found` and `is_open`. */
interface Counted {
  readonly tables?: readonly string[];
  readonly counted: string;
}

function countedAround(expectation: EventExpectation, { min, max }: CountRange, judged: JudgedSubject): Counted {
  if (expectation.directly) return eventsNext(expectation, judged.graph);
  if (min === 1 && max === undefined) return eventNear(expectation, judged.graph);
  if (max === 0 && !expectation.within && countsFromEvents(expectation, judged.activity))
    return eventsPast(expectation);
  return eventsCounted(expectation, judged.graph);
}

/** For expectations that one event satisfies. Compares the nearest event with a deadline, else the last (or first) event. */
function eventNear({ before, within }: EventExpectation, graph: JudgedGraphTables): Counted {
  if (!within) {
    const farthest = `farthest AS (SELECT entity, ${before ? 'min' : 'max'}(id) AS id FROM target GROUP BY entity)`;
    const counted = `SELECT anchor.judged, CASE WHEN farthest.id ${before ? '<' : '>'} anchor.id THEN 1 ELSE 0 END AS found, FALSE AS is_open
FROM anchor LEFT JOIN farthest ON farthest.entity = anchor.entity`;
    return { tables: [farthest], counted };
  }
  const { judging } = graph.dialect.build;
  const limit = `time ${before ? '-' : '+'} ${interval(within.value.milliseconds, graph)}`;
  return {
    counted: `SELECT judged, CASE WHEN near ${before ? '>=' : '<='} ${limit} THEN 1 ELSE 0 END AS found, ${before ? 'FALSE' : isOpen(limit, graph)} AS is_open
FROM (${judging.nearest('anchor', 'target', before ? 'before' : 'after')}) AS placed`,
  };
}

/** For expectations that no event may break: counts the events beyond the outermost anchor of each entity. */
function eventsPast({ before }: EventExpectation): Counted {
  const outermost = `outermost AS (SELECT judged, entity, ${before ? 'max' : 'min'}(id) AS id FROM anchor GROUP BY judged, entity)`;
  const counted = `SELECT outermost.judged, count(target.id) AS found, FALSE AS is_open
FROM outermost LEFT JOIN target ON target.entity = outermost.entity AND target.id ${before ? '<' : '>'} outermost.id
GROUP BY outermost.judged, outermost.entity`;
  return { tables: [outermost], counted };
}

function eventsCounted({ before, within }: EventExpectation, graph: JudgedGraphTables): Counted {
  const isPending = within && !before ? isOpen(`time + ${interval(within.value.milliseconds, graph)}`, graph) : 'FALSE';
  const side = before ? 'before' : 'after';
  const beside = graph.dialect.build.judging.countBeside(
    'anchor',
    'target',
    side,
    within && Math.round(within.value.milliseconds * 1000),
  );
  return { counted: `SELECT judged, found, ${isPending} AS is_open FROM (${beside}) AS placed` };
}

function eventsNext({ before, within }: EventExpectation, graph: JudgedGraphTables): Counted {
  const [here, there] = before ? ['target_event_id', 'source_event_id'] : ['source_event_id', 'target_event_id'];
  const limit = within && `anchor.time ${before ? '-' : '+'} ${interval(within.value.milliseconds, graph)}`;
  const inTime = limit ? ` AND target.time ${before ? '>=' : '<='} ${limit}` : '';
  const open = limit && !before ? `edge.${there} IS NULL AND ${isOpen(limit, graph)}` : 'FALSE';
  return {
    counted: `SELECT anchor.judged, CASE WHEN target.id IS NULL THEN 0 ELSE 1 END AS found, ${open} AS is_open
FROM anchor LEFT JOIN ${graph.table('directly_follows')} AS edge ON edge.entity_id = anchor.entity AND edge.${here} = anchor.id
LEFT JOIN target ON target.entity = anchor.entity AND target.id = edge.${there}${inTime}`,
  };
}
