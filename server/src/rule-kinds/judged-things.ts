import type { RuleSubject } from '../model/process-rule.ts';
import { eventsOf } from './event-tables.ts';
import type { JudgedGraphTables } from './judged-tables.ts';
import { namedValuesSql } from './named-values-sql.ts';
import { judgedColumn } from './property-values-sql.ts';

/** Rows `judged`, `own` (the entity) and, of events, `event` and `time`. Without a type or an activity: all entities. */
export function judgedSql({ entityType, activity, lifecycle, where }: RuleSubject, graph: JudgedGraphTables): string {
  const { dialect, table, among } = graph;
  const conditions = [
    ...(activity ? [eventsOf(activity.value, lifecycle, dialect)] : []),
    ...(!activity && entityType ? [`entity_type = ${dialect.literals.quote(entityType.value)}`] : []),
    ...(among ? [activity ? among.event : among.entity] : []),
  ];
  const from = `${table(activity ? 'event' : 'entity')}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`;
  const all = activity
    ? `SELECT id AS judged, entity_id AS own, id AS event, time FROM ${from}`
    : `SELECT id AS judged, id AS own, CAST(NULL AS BIGINT) AS event, CAST(NULL AS ${dialect.times.type}) AS time FROM ${from}`;
  if (!where) return all;
  const of = activity ? 'event' : 'entity';
  const { values, sql } = namedValuesSql(graph, { of, judged: 'candidate', sql: where.value });
  return `SELECT * FROM (${all}) AS candidate WHERE judged IN (
  WITH candidate AS (${all})
  SELECT ${judgedColumn} FROM (\n${values}\n) AS value WHERE (\n${sql}\n)
)`;
}

/** A SELECT whose column `now` is the time of the last event, or that of the import if it is earlier. */
export function momentSql({ table }: Pick<JudgedGraphTables, 'table'>): string {
  return `SELECT least((SELECT max(time) FROM ${table('event')}), (SELECT max(started) FROM ${table('run')})) AS now`;
}
