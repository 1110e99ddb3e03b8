import type { Dialect } from '../dialects/dialect.ts';
import type { RuleLifecycle } from '../model/process-rule.ts';
import type { JudgedGraphTables } from './judged-tables.ts';

/** Condition on `activity` and `lifecycle` of events. @param activity undefined for events of all activities */
export function eventsOf(activity: string | undefined, lifecycle: RuleLifecycle, { literals }: Dialect): string {
  const conditions = [
    ...(activity === undefined ? [] : [`activity = ${literals.quote(activity)}`]),
    ...(lifecycle === 'any' ? [] : [`lifecycle = '${lifecycle}'`]),
  ];
  return conditions.length === 0 ? 'TRUE' : conditions.join(' AND ');
}

/**
 * The events of an activity with each entity that they are correlated with: `entity`, `id`, `time`.
 * @param activity undefined for events of all activities, with the column `activity`
 */
export function eventTable(
  name: string,
  activity: string | undefined,
  lifecycle: RuleLifecycle,
  { table, dialect, hasCorrelations, worked }: JudgedGraphTables,
): string {
  const isMeant = eventsOf(activity, lifecycle, dialect);
  const [named, ofEvent] = activity === undefined ? [', activity', ', event.activity'] : ['', ''];
  const own = `SELECT entity_id AS entity, id, time${named} FROM ${table('event')} WHERE ${isMeant} AND entity_id IS NOT NULL`;
  // Filters by `member` only if that table is materialized: later joins exclude events of other entities anyway.
  const isMember = dialect.build.judging.readOnce ? '' : ' AND event_entity.entity_id IN (SELECT entity FROM member)';
  // Most events belong only to their own entity, which `event` contains.
  const others = `SELECT event_entity.entity_id, event.id, event.time${ofEvent}
  FROM ${table('event')} JOIN ${table('event_entity')} ON event_entity.event_id = event.id
  WHERE ${isMeant} AND event_entity.qualifier <> 'self'${isMember}`;
  const all = hasCorrelations ? `${own}\n  UNION ${others}` : own;
  return `${name} AS (${worked ? worked(all, ['entity', 'id', ...(activity === undefined ? ['activity'] : [])]) : all})`;
}

/** The judged event itself, as the event that limits count from. */
export const judgedAnchor = 'anchor AS (SELECT judged, entity, judged AS id, time FROM member)';

/** Whether a limit may still be reached: its time is not over. */
export function isOpen(limit: string, graph: JudgedGraphTables): string {
  return `${limit} >= ${nowSql(graph)}`;
}

/** The time up to which the graph has events, in statements with the table `moment`. */
export function nowSql({ now }: JudgedGraphTables): string {
  return now ?? '(SELECT now FROM moment)';
}

/** @param duration in milliseconds */
export function interval(duration: number, { dialect }: JudgedGraphTables): string {
  return dialect.build.judging.interval(Math.round(duration * 1000));
}
