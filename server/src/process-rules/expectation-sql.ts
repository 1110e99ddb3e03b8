import type { BuildingDialect } from '../dialects/dialect.ts';
import { type RuleExpectation, expectedCount } from '../model/process-rule.ts';
import { eventsOf } from './event-conditions.ts';
import type { JudgedGraphTables } from './judged-graph-tables.ts';
import { verdict } from './verdict.ts';

/**
 * A SELECT of `judged`, `verdict` and `found` over the tables of a graph and `moment`, with one or more rows for each
 * judged entity or event; none without an anchor.
 * @param judgedActivity of judged events
 * @param context rows `judged`, `entity` (NULL without one) and, of judged events, `time`
 */
export function expectationSql(
  expectation: RuleExpectation,
  judgedActivity: string | undefined,
  context: string,
  graph: JudgedGraphTables,
): string {
  const judged = outcomesOf(expectation, judgedActivity, graph);
  const inlined = graph.dialect.build.judging.inlinedTable;
  const tables = judged.tables.map((table) => `, ${table}`).join('');
  // Without a judged activity, entities are judged; an event may have no entity.
  if (judgedActivity === undefined) return `WITH member AS ${inlined}(${context})${tables}\n${judged.select}`;
  return `WITH context AS ${inlined}(${context}), member AS ${inlined}(SELECT * FROM context WHERE entity IS NOT NULL)${tables}
SELECT judged, ${verdict.undecided} AS verdict, CAST(NULL AS BIGINT) AS found FROM context WHERE entity IS NULL
UNION ALL
${judged.select}`;
}

interface Outcomes {
  readonly tables: readonly string[];
  readonly select: string;
}

function outcomesOf(
  expectation: RuleExpectation,
  judgedActivity: string | undefined,
  graph: JudgedGraphTables,
): Outcomes {
  if (expectation.relationship) return relatedEntities(expectation, expectation.relationship.value, graph);
  if (expectation.from && expectation.to) {
    return timeBetween(expectation, expectation.from.value, expectation.to.value, judgedActivity, graph);
  }
  const target = eventTable('target', (expectation.never ?? expectation.activity)?.value ?? '', expectation, graph);
  const anchor = anchorTables(expectation, judgedActivity, graph);
  if (!anchor) return eventsInAll(expectation, target);
  if (expectation.directly) return eventsNext(expectation, anchor, target, graph);
  const isJudgedAnchor = isJudgedItself((expectation.after ?? expectation.before)?.value, judgedActivity);
  return eventsAround(expectation, anchor, target, { isJudgedAnchor, graph });
}

/** The events of an activity with each entity that they are correlated with: `entity`, `id`, `time`. */
function eventTable(name: string, activity: string, { lifecycle }: RuleExpectation, graph: JudgedGraphTables): string {
  const { table, dialect } = graph;
  const isMeant = eventsOf(activity, lifecycle, dialect);
  const own = `SELECT entity_id AS entity, id, time FROM ${table('event')} WHERE ${isMeant} AND entity_id IS NOT NULL`;
  // Filters by `member` only if that table is materialized: later joins exclude events of other entities anyway.
  const isMember = dialect.build.judging.readOnce ? '' : ' AND event_entity.entity_id IN (SELECT entity FROM member)';
  // Most events belong only to their own entity, which `event` contains.
  const others = `SELECT event_entity.entity_id, event.id, event.time
  FROM ${table('event')} JOIN ${table('event_entity')} ON event_entity.event_id = event.id
  WHERE ${isMeant} AND event_entity.qualifier <> 'self'${isMember}`;
  return `${name} AS (${graph.hasCorrelations ? `${own}\n  UNION ${others}` : own})`;
}

/**
 * The anchor events from which limits count: tables up to `anchor`. Undefined if the expectation is about the whole
 * entity.
 */
function anchorTables(
  expectation: RuleExpectation,
  judgedActivity: string | undefined,
  graph: JudgedGraphTables,
): readonly string[] | undefined {
  const named = (expectation.after ?? expectation.before)?.value;
  if (isJudgedItself(named, judgedActivity)) return [judgedAnchor];
  if (named === undefined) return undefined;
  return [
    eventTable('named', named, expectation, graph),
    'anchor AS (SELECT member.judged, named.entity, named.id, named.time FROM member JOIN named ON named.entity = member.entity)',
  ];
}

/** The judged event itself. */
const judgedAnchor = 'anchor AS (SELECT judged, entity, judged AS id, time FROM member)';

function isJudgedItself(anchor: string | undefined, judgedActivity: string | undefined): boolean {
  return judgedActivity !== undefined && (anchor === undefined || anchor === judgedActivity);
}

function eventsInAll(expectation: RuleExpectation, target: string): Outcomes {
  return {
    tables: [target, 'counted AS (SELECT entity, count(*) AS number FROM target GROUP BY entity)'],
    select: judgeCount(
      'SELECT member.judged, coalesce(counted.number, 0) AS found, FALSE AS is_open FROM member LEFT JOIN counted ON counted.entity = member.entity',
      expectation,
    ),
  };
}

function eventsAround(
  expectation: RuleExpectation,
  anchor: readonly string[],
  target: string,
  { isJudgedAnchor, graph }: { readonly isJudgedAnchor: boolean; readonly graph: JudgedGraphTables },
): Outcomes {
  const { min, max } = expectedCount(expectation);
  if (min === 1 && max === undefined) return eventNear(expectation, anchor, target, graph);
  if (max === 0 && !expectation.within && !isJudgedAnchor) return eventsPast(expectation, anchor, target);
  return eventsCounted(expectation, anchor, target, graph);
}

/** For expectations that one event satisfies. Compares the nearest event with a deadline, else the last (or first) event. */
function eventNear(
  expectation: RuleExpectation,
  anchor: readonly string[],
  target: string,
  graph: JudgedGraphTables,
): Outcomes {
  const { dialect } = graph;
  const { before, within } = expectation;
  if (!within) {
    const farthest = `farthest AS (SELECT entity, ${before ? 'min' : 'max'}(id) AS id FROM target GROUP BY entity)`;
    const select = `SELECT anchor.judged, CASE WHEN farthest.id ${before ? '<' : '>'} anchor.id THEN 1 ELSE 0 END AS found, FALSE AS is_open
FROM anchor LEFT JOIN farthest ON farthest.entity = anchor.entity`;
    return { tables: [target, ...anchor, farthest], select: judgeCount(select, expectation) };
  }
  const { judging } = dialect.build;
  const limit = `time ${before ? '-' : '+'} ${interval(within.value, dialect)}`;
  const select = `SELECT judged, CASE WHEN near ${before ? '>=' : '<='} ${limit} THEN 1 ELSE 0 END AS found, ${before ? 'FALSE' : isOpen(limit, graph)} AS is_open
FROM (${judging.nearest('anchor', 'target', before ? 'before' : 'after')}) AS placed`;
  return { tables: [target, ...anchor], select: judgeCount(select, expectation) };
}

/** For expectations that no event may break: counts the events beyond the outermost anchor of each entity. */
function eventsPast(expectation: RuleExpectation, anchor: readonly string[], target: string): Outcomes {
  const { before } = expectation;
  const outermost = `outermost AS (SELECT judged, entity, ${before ? 'max' : 'min'}(id) AS id FROM anchor GROUP BY judged, entity)`;
  const select = `SELECT outermost.judged, count(*) AS found, FALSE AS is_open
FROM outermost JOIN target ON target.entity = outermost.entity AND target.id ${before ? '<' : '>'} outermost.id
GROUP BY outermost.judged, outermost.entity`;
  return { tables: [target, ...anchor, outermost], select: judgeCount(select, expectation) };
}

function eventsCounted(
  expectation: RuleExpectation,
  anchor: readonly string[],
  target: string,
  graph: JudgedGraphTables,
): Outcomes {
  const { dialect } = graph;
  const { before, within } = expectation;
  const isPending = within && !before ? isOpen(`time + ${interval(within.value, dialect)}`, graph) : 'FALSE';
  const side = before ? 'before' : 'after';
  const counted = dialect.build.judging.countBeside('anchor', 'target', side, within && within.value * 1000);
  const select = `SELECT judged, found, ${isPending} AS is_open FROM (${counted}) AS placed`;
  return { tables: [target, ...anchor], select: judgeCount(select, expectation) };
}

function eventsNext(
  expectation: RuleExpectation,
  anchor: readonly string[],
  target: string,
  graph: JudgedGraphTables,
): Outcomes {
  const { dialect, table } = graph;
  const { before, within } = expectation;
  const [here, there] = before ? ['target_event_id', 'source_event_id'] : ['source_event_id', 'target_event_id'];
  const limit = within && `anchor.time ${before ? '-' : '+'} ${interval(within.value, dialect)}`;
  const inTime = limit ? ` AND target.time ${before ? '>=' : '<='} ${limit}` : '';
  const open = limit && !before ? `edge.${there} IS NULL AND ${isOpen(limit, graph)}` : 'FALSE';
  return {
    tables: [target, ...anchor],
    select: judgeCount(
      `SELECT anchor.judged, CASE WHEN target.id IS NULL THEN 0 ELSE 1 END AS found, ${open} AS is_open
FROM anchor LEFT JOIN ${table('directly_follows')} AS edge ON edge.entity_id = anchor.entity AND edge.${here} = anchor.id
LEFT JOIN target ON target.entity = anchor.entity AND target.id = edge.${there}${inTime}`,
      expectation,
    ),
  };
}

function relatedEntities(
  expectation: RuleExpectation,
  relationship: string,
  { dialect, table }: JudgedGraphTables,
): Outcomes {
  const side = (here: 'source' | 'target'): string =>
    `SELECT ${here}_entity_id AS entity, ${here === 'source' ? 'target' : 'source'}_entity_id AS other FROM ${table('relation')} WHERE relationship = ${dialect.literals.quote(relationship)}`;
  const sides = expectation.direction ? side(expectation.direction) : `${side('source')} UNION ${side('target')}`;
  return {
    tables: [`related AS (SELECT entity, count(DISTINCT other) AS number FROM (${sides}) AS side GROUP BY entity)`],
    select: judgeCount(
      'SELECT member.judged, coalesce(related.number, 0) AS found, FALSE AS is_open FROM member LEFT JOIN related ON related.entity = member.entity',
      expectation,
    ),
  };
}

function timeBetween(
  expectation: RuleExpectation,
  from: string,
  to: string,
  judgedActivity: string | undefined,
  graph: JudgedGraphTables,
): Outcomes {
  const { atLeast, atMost, take } = expectation;
  const { judging } = graph.dialect.build;
  const starts = eventTable('start_event', from, expectation, graph);
  // Ids are in the order of time.
  const first = 'first_event AS (SELECT entity, min(id) AS id, min(time) AS time FROM start_event GROUP BY entity)';
  if (to === judgedActivity && from !== judgedActivity) {
    // The judged event is the end.
    const select =
      take === 'first'
        ? 'SELECT member.judged, first_event.time AS began, member.time AS ended FROM member JOIN first_event ON first_event.entity = member.entity AND first_event.id < member.judged'
        : `SELECT judged, near AS began, time AS ended FROM (${judging.nearest('anchor', 'start_event', 'before')}) AS placed WHERE near IS NOT NULL`;
    const tables = take === 'first' ? [starts, first] : [starts, judgedAnchor];
    return { tables, select: judgeTime(select, atLeast?.value, atMost?.value, graph) };
  }
  const last = 'last_event AS (SELECT entity, max(id) AS id, max(time) AS time FROM start_event GROUP BY entity)';
  const chosen = { each: [], first: [first], last: [last] }[take];
  const began = { each: 'start_event', first: 'first_event', last: 'last_event' }[take];
  const anchor =
    from === judgedActivity
      ? [judgedAnchor]
      : [
          starts,
          ...chosen,
          `anchor AS (SELECT member.judged, began.entity, began.id, began.time FROM member JOIN ${began} AS began ON began.entity = member.entity)`,
        ];
  // With one beginning for each judged entity or event, the first later end is found without sorting.
  const isOne = from !== judgedActivity && take !== 'each';
  const spans = isOne
    ? 'SELECT anchor.judged, anchor.time AS began, min(end_event.time) AS ended FROM anchor LEFT JOIN end_event ON end_event.entity = anchor.entity AND end_event.id > anchor.id GROUP BY anchor.judged, anchor.entity, anchor.time'
    : `SELECT judged, time AS began, near AS ended FROM (${judging.nearest('anchor', 'end_event', 'after')}) AS placed`;
  return {
    tables: [eventTable('end_event', to, expectation, graph), ...anchor],
    select: judgeTime(spans, atLeast?.value, atMost?.value, graph),
  };
}

/** @param counted rows `judged`, `found`, and `is_open`: whether more may still come */
function judgeCount(counted: string, expectation: RuleExpectation): string {
  const { min, max } = expectedCount(expectation);
  const tooMany = max === undefined ? '' : `WHEN found > ${max} THEN ${verdict.broken} `;
  const enough = max === undefined ? `WHEN found >= ${min} THEN ${verdict.kept} ` : '';
  const otherwise = `WHEN is_open THEN ${verdict.pending} WHEN found >= ${min} THEN ${verdict.kept} ELSE ${verdict.broken}`;
  return `SELECT judged, CASE ${tooMany}${enough}${otherwise} END AS verdict, found FROM (${counted}) AS counted_events`;
}

/** @param spans rows `judged`, `began` and `ended`; `ended` is NULL if no event followed */
function judgeTime(
  spans: string,
  atLeast: number | undefined,
  atMost: number | undefined,
  graph: JudgedGraphTables,
): string {
  const { dialect } = graph;
  const { microseconds } = dialect.build.judging;
  const between = `${microseconds('ended')} - ${microseconds('began')}`;
  const conditions = [
    ...(atLeast === undefined ? [] : [`${between} < ${atLeast * 1000}`]),
    ...(atMost === undefined ? [] : [`${between} > ${atMost * 1000}`]),
  ];
  // Without an end, the rule is broken after its deadline; without a deadline, it is kept.
  const missing =
    atMost === undefined
      ? `CASE WHEN ${isOpen(`began + ${interval(atLeast ?? 0, dialect)}`, graph)} THEN ${verdict.pending} ELSE ${verdict.kept} END`
      : `CASE WHEN ${isOpen(`began + ${interval(atMost, dialect)}`, graph)} THEN ${verdict.pending} ELSE ${verdict.broken} END`;
  return `SELECT judged, CASE WHEN ended IS NULL THEN ${missing} WHEN ${conditions.join(' OR ')} THEN ${verdict.broken} ELSE ${verdict.kept} END AS verdict, ${between} AS found FROM (${spans}) AS span`;
}

function isOpen(limit: string, { now }: JudgedGraphTables): string {
  return `${limit} >= ${now ?? '(SELECT now FROM moment)'}`;
}

/** @param duration in milliseconds */
function interval(duration: number, { build }: BuildingDialect): string {
  return build.judging.interval(duration * 1000);
}
