import type { MeasureResult } from '../../../protocol/measures.ts';
import type { ClearWhat, Measure } from '../model/measure.ts';
import type { RuleSubject } from '../model/process-rule.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { judgedSql, momentSql } from '../rule-kinds/judged-things.ts';
import { isClearWhat, measureKindOf } from './measure-kinds.ts';
import { workedSql } from '../rule-kinds/working-time.ts';

/** A measure with a subject, of one kind. */
export interface CompleteMeasure extends Measure {
  readonly each: RuleSubject;
  readonly what: ClearWhat;
}

export function isCompleteMeasure(measure: Measure): measure is CompleteMeasure {
  return (measure.each?.entityType ?? measure.each?.activity) !== undefined && isClearWhat(measure.what);
}

/** Whether the values of a measure are times, in milliseconds. */
export function isTimeMeasure({ what }: Pick<Measure, 'what'>): boolean {
  return isClearWhat(what) && measureKindOf(what).isTime;
}

/** The unit of the values of a measure. */
export function unitOf(measure: Measure): MeasureResult['unit'] {
  if (!isTimeMeasure(measure)) return 'number';
  return measure.workingTime ? 'working ms' : 'ms';
}

/**
 * A SELECT of the values of a measure over the tables of a graph: `entity_id`, `event_id` of measured events and of
 * times from each of several events, and `value` (DOUBLE; NULL for missing ones; milliseconds for times).
 */
export function measuredSql(measure: CompleteMeasure, graph: JudgedGraphTables): string {
  const { each, what } = measure;
  const { judging } = graph.dialect.build;
  const kind = measureKindOf(what);
  const { tables, select } = kind.measure(what, { activity: each.activity?.value, graph });
  const moment = graph.now === undefined ? [`moment AS ${judging.keptTable}(${momentSql(graph)})`] : [];
  const all = [
    ...moment,
    `judged AS ${judging.inlinedTable}(\n${judgedSql(each, graph)}\n)`,
    `member AS ${judging.inlinedTable}(\n${memberSql(kind.of?.(what), each, graph)}\n)`,
    ...tables,
  ];
  const values = kind.isTime ? timesSql(select, measure, graph) : select;
  return `WITH ${all.join(', ')}
SELECT entity AS entity_id, event AS event_id, CAST(value AS DOUBLE PRECISION) AS value FROM (
${values}
) AS measured`;
}

/** The milliseconds between `began` and `ended`, or those of working time. */
function timesSql(select: string, { workingTime }: Measure, { dialect }: JudgedGraphTables): string {
  const { microseconds } = dialect.build.judging;
  const [began, ended] = [microseconds('began'), microseconds('ended')];
  const timed = `SELECT entity, event, ${began} AS began, ${ended} AS ended FROM (\n${select}\n) AS timed`;
  const columns = { columns: ['entity', 'event'], times: ['began', 'ended'] };
  const times = workingTime ? workedSql(timed, columns, workingTime, { dialect }) : timed;
  return `SELECT entity, event, CAST(ended - began AS DOUBLE PRECISION) / 1000 AS value FROM (\n${times}\n) AS clock`;
}

/** `entity` is NULL for an event without one. */
function memberSql(of: string | undefined, { activity }: RuleSubject, { dialect, table }: JudgedGraphTables): string {
  if (activity === undefined || of === undefined) return 'SELECT judged, own AS entity, event, time FROM judged';
  return `SELECT judged.judged, other.entity, judged.event, judged.time FROM judged LEFT JOIN (
  SELECT DISTINCT event_entity.event_id, event_entity.entity_id AS entity
  FROM ${table('event_entity')} JOIN ${table('entity')} ON entity.id = event_entity.entity_id AND entity.entity_type = ${dialect.literals.quote(of)}
) AS other ON other.event_id = judged.judged`;
}

/** A limit whose keepers are counted. */
export interface CountedLimit {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/**
 * A SELECT of the numbers of values: `count`, `missing`, `sum`, `mean`, `min`, `max`, `median`, `p90`, and `within_1`
 * and so on: how many are within each limit. One row, or one for each combination of the columns `by`.
 * @param values SQL after FROM: a table with `value`
 */
export function statisticsSql(
  values: string,
  { dialect }: Pick<JudgedGraphTables, 'dialect'>,
  { by = [], limits = [] }: { readonly by?: readonly string[]; readonly limits?: readonly CountedLimit[] } = {},
): string {
  const { measuring, countIf } = dialect.build;
  const within = limits.map((limit, index) => `${countIf(withinSql(limit))} AS within_${index + 1}`);
  const columns = [
    ...by,
    'count(value) AS count',
    'count(*) - count(value) AS missing',
    'sum(value) AS sum',
    'avg(value) AS mean',
    'min(value) AS min',
    'max(value) AS max',
    `${measuring.quantile(0.5)} AS median`,
    `${measuring.quantile(0.9)} AS p90`,
    ...within,
  ];
  const grouped = by.length === 0 ? '' : ` GROUP BY ${by.join(', ')}`;
  return `SELECT ${columns.join(', ')} FROM ${measuring.quantiled(values, by)}${grouped}`;
}

function withinSql({ atLeast, atMost }: CountedLimit): string {
  const conditions = [
    ...(atLeast === undefined ? [] : [`value >= ${atLeast}`]),
    ...(atMost === undefined ? [] : [`value <= ${atMost}`]),
  ];
  return conditions.join(' AND ');
}
