import type { RuleSubject } from '../model/process-rule.ts';
import { eventsOf } from './event-tables.ts';
import type { JudgedGraphTables } from './judged-tables.ts';
import { judgedColumn, propertyValuesSql } from './property-values-sql.ts';

/** Rows `judged`, `own` (the entity) and, of events, `event` and `time`. Without a type or an activity: all entities. */
export function judgedSql({ entityType, activity, lifecycle, where }: RuleSubject, graph: JudgedGraphTables): string {
  const all = activity
    ? `SELECT id AS judged, entity_id AS own, id AS event, time FROM ${graph.table('event')} WHERE ${eventsOf(activity.value, lifecycle, graph.dialect)}`
    : `SELECT id AS judged, id AS own, CAST(NULL AS BIGINT) AS event, CAST(NULL AS ${graph.dialect.times.type}) AS time FROM ${graph.table('entity')}${entityType ? ` WHERE entity_type = ${graph.dialect.literals.quote(entityType.value)}` : ''}`;
  if (!where) return all;
  const of = activity ? 'event' : 'entity';
  return `SELECT * FROM (${all}) AS candidate WHERE judged IN (
  WITH candidate AS (${all})
  SELECT ${judgedColumn} FROM (\n${propertyValuesSql(graph, { of, judged: 'candidate', sql: where.value })}\n) AS value WHERE (\n${where.value}\n)
)`;
}

/** A SELECT whose column `now` is the time of the last event, or that of the import if it is earlier. */
export function momentSql({ table }: Pick<JudgedGraphTables, 'table'>): string {
  return `SELECT least((SELECT max(time) FROM ${table('event')}), (SELECT max(started) FROM ${table('run')})) AS now`;
}
