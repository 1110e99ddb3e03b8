import { stepEventsSql } from '../analysis/variant-sql.ts';
import type { CreateTable, Side } from './pair-events.ts';
import { movedRound, sides } from './pair-events.ts';

/*
 * What links entities and events is compared by the numbers of `entity_pair` and `event_pair`, so that no ids of two
 * graphs are compared. What cannot differ is not read: the own entity of an event follows from its pair, and the steps of
 * an entity can only differ if one of its events does.
 */

/** The rows of `rows` that only one of the graphs has, with their `kind`. @param columns their names */
function differenceSql(columns: string, rows: (side: Side) => string): string {
  return `SELECT CASE WHEN bool_or(is_after) THEN 'new' ELSE 'gone' END AS kind, ${columns} FROM (
      SELECT false AS is_after, * FROM (${rows('before')}) UNION ALL SELECT true, * FROM (${rows('after')}))
    GROUP BY ${columns} HAVING bool_and(is_after) OR NOT bool_or(is_after)`;
}

/** Correlations of events that both graphs have, but for those with own entities. */
function otherCorrelationsSql(side: Side): string {
  return `SELECT event.number AS event, entity.number AS entity, c.qualifier FROM ${side}.event_entity AS c
    JOIN event_pair AS event ON event.${side}_id = c.event_id AND event.round IS NOT NULL
    JOIN entity_pair AS entity ON entity.${side}_id = c.entity_id WHERE c.qualifier <> 'self'`;
}

/** Correlations of events that only this graph has. */
function singleCorrelationsSql(side: Side): string {
  return `SELECT '${side === 'before' ? 'gone' : 'new'}', event.number, entity.number, c.qualifier FROM ${side}.event_entity AS c
    JOIN event_pair AS event ON event.${side}_id = c.event_id AND event.round IS NULL
    JOIN entity_pair AS entity ON entity.${side}_id = c.entity_id`;
}

/** Own entities of the same events, where these are of another type. */
const otherTypesSql = `SELECT unnest(['gone', 'new']), pair.number, unnest([b.entity, a.entity]), 'self'
  FROM (FROM event_pair WHERE round IS NOT NULL AND (SELECT count(*) <> count(DISTINCT who) FROM entity_pair)) AS pair
  JOIN event_before AS b ON b.id = pair.before_id JOIN event_after AS a ON a.id = pair.after_id WHERE a.entity <> b.entity`;

/** `kind`, the numbers of `event` and `entity`, `qualifier`. */
const correlationDifferencesSql: CreateTable = `CREATE TEMP TABLE correlation_difference AS
  ${differenceSql('event, entity, qualifier', otherCorrelationsSql)}
  UNION ALL ${singleCorrelationsSql('before')} UNION ALL ${singleCorrelationsSql('after')} UNION ALL ${otherTypesSql}`;

/** Pairs of equal times in the order of the graph before. */
const unmovedPairsSql: CreateTable = `CREATE TEMP TABLE unmoved_pair AS
  SELECT number, before_id, after_id FROM event_pair WHERE round < ${movedRound} ORDER BY before_id`;

/** Events that may have another place among the events of their entities, though both graphs have them. */
const shiftedEventsSql: CreateTable = `CREATE TEMP TABLE shifted_event AS
  SELECT before_id, after_id FROM event_pair WHERE round >= ${movedRound}
  UNION ALL SELECT before_id, after_id FROM (
    SELECT before_id, after_id, max(after_id) OVER (ORDER BY before_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
    FROM unmoved_pair
    WHERE EXISTS (FROM (SELECT after_id, lag(after_id) OVER () AS previous FROM unmoved_pair) WHERE after_id < previous))
  WHERE after_id < latest`;

/** The entities whose steps may differ: numbers. */
const touchedSql: CreateTable = `CREATE TEMP TABLE touched AS SELECT DISTINCT entity FROM (
  SELECT entity FROM correlation_difference ${sides
    .map(
      (side) => `UNION ALL SELECT entity.number FROM ${side}.event_entity AS c
    JOIN shifted_event AS event ON event.${side}_id = c.event_id JOIN entity_pair AS entity ON entity.${side}_id = c.entity_id`,
    )
    .join(' ')})`;

function touchedEntitiesSql(side: Side): string {
  return `(SELECT number, entity_type, ${side}_id AS id FROM entity_pair SEMI JOIN touched ON touched.entity = entity_pair.number)`;
}

function stepsSql(side: Side): string {
  return `SELECT entity.number AS entity, source.number AS source, target.number AS target, source.kind AS source_kind, target.kind AS target_kind
    FROM ${side}.directly_follows AS d
    JOIN ${touchedEntitiesSql(side)} AS entity ON entity.id = d.entity_id
    JOIN event_pair AS source ON source.${side}_id = d.source_event_id
    JOIN event_pair AS target ON target.${side}_id = d.target_event_id`;
}

const pathDifferencesSql: CreateTable = `CREATE TEMP TABLE path_difference AS ${differenceSql('entity, source, target, source_kind, target_kind', stepsSql)}`;

function relationsSql(side: Side): string {
  return `SELECT r.relationship, source.number AS source, target.number AS target FROM ${side}.relation AS r
    JOIN entity_pair AS source ON source.${side}_id = r.source_entity_id
    JOIN entity_pair AS target ON target.${side}_id = r.target_entity_id`;
}

const relationDifferencesSql: CreateTable = `CREATE TEMP TABLE relation_difference AS ${differenceSql('relationship, source, target', relationsSql)}`;

/** After `entity_pair` and the pairs of events. */
export const differenceStatements: readonly CreateTable[] = [
  correlationDifferencesSql,
  unmovedPairsSql,
  shiftedEventsSql,
  touchedSql,
  pathDifferencesSql,
  relationDifferencesSql,
];

/** What is known of events, whichever graph has them: the newer graph first. */
const eventsSql = `CREATE TEMP VIEW known_event AS
  SELECT pair.number, kind.element, kind.activity, kind.lifecycle, entity.entity_type, coalesce(entity.key, a.named, b.named) AS key,
    b.time AS time_before, a.time AS time_after, pair.before_id, pair.after_id, pair.round
  FROM event_pair AS pair
  LEFT JOIN event_before AS b ON b.id = pair.before_id LEFT JOIN event_after AS a ON a.id = pair.after_id
  JOIN event_kind AS kind ON kind.kind = pair.kind
  LEFT JOIN entity_pair AS entity ON entity.number = coalesce(a.entity, b.entity)`;

/** Rows behind the numbers. An event can be moved and changed; it then has two rows. */
const eventChangesSql = `CREATE TEMP VIEW event_change AS
  SELECT element AS name, kind, activity, lifecycle, entity_type, key, time_before AS "before", time_after AS "after" FROM (
    SELECT *, unnest([
      CASE WHEN before_id IS NULL THEN 'new' WHEN after_id IS NULL THEN 'gone' WHEN time_before <> time_after THEN 'moved' END,
      CASE WHEN number IN (SELECT event FROM value_change WHERE event IS NOT NULL) THEN 'changed' END
    ]) AS kind FROM known_event)
  WHERE kind IS NOT NULL`;

const entityChangesSql = `CREATE TEMP VIEW entity_change AS
  SELECT entity_type AS name, CASE WHEN before_id IS NULL THEN 'new' ELSE 'gone' END AS kind, key
  FROM entity_pair WHERE before_id IS NULL OR after_id IS NULL`;

const correlationChangesSql = `CREATE TEMP VIEW correlation_change AS
  SELECT d.qualifier AS name, d.kind, event.activity, event.lifecycle, coalesce(event.time_after, event.time_before) AS time,
    entity.entity_type, entity.key
  FROM correlation_difference AS d
  JOIN known_event AS event ON event.number = d.event JOIN entity_pair AS entity ON entity.number = d.entity`;

const relationChangesSql = `CREATE TEMP VIEW relation_change AS
  SELECT d.relationship AS name, d.kind, source.entity_type AS source_type, source.key AS source_key,
    target.entity_type AS target_type, target.key AS target_key
  FROM relation_difference AS d
  JOIN entity_pair AS source ON source.number = d.source JOIN entity_pair AS target ON target.number = d.target`;

/** The name of a path, from three texts. */
function pathName(type: string, source: string, target: string): string {
  return `${type} || ': ' || ${source} || ' → ' || ${target}`;
}

const pathChangesSql = `CREATE TEMP VIEW path_change AS
  SELECT ${pathName('entity.entity_type', 'source.activity', 'target.activity')} AS name, d.kind, entity.key,
    CASE WHEN d.kind = 'gone' THEN source.time_before ELSE source.time_after END AS source_time,
    CASE WHEN d.kind = 'gone' THEN target.time_before ELSE target.time_after END AS target_time
  FROM path_difference AS d JOIN entity_pair AS entity ON entity.number = d.entity
  JOIN known_event AS source ON source.number = d.source JOIN known_event AS target ON target.number = d.target`;

/** The changes of events without their rows: `name`, `kind`, `n`. */
export const countedEventsSql = `SELECT event_kind.element AS name, found.change AS kind, found.n FROM (
    SELECT kind, CASE WHEN before_id IS NULL THEN 'new' ELSE 'gone' END AS change, count(*) AS n FROM event_pair WHERE round IS NULL GROUP BY ALL
    UNION ALL SELECT pair.kind, 'moved', count(*) FROM (FROM event_pair WHERE round >= ${movedRound}) AS pair
      JOIN event_before AS b ON b.id = pair.before_id JOIN event_after AS a ON a.id = pair.after_id WHERE a.time <> b.time GROUP BY ALL
    UNION ALL SELECT pair.kind, 'changed', count(*) FROM event_pair AS pair SEMI JOIN value_change ON value_change.event = pair.number GROUP BY ALL
  ) AS found JOIN event_kind USING (kind)`;

export const countedCorrelationsSql =
  'SELECT qualifier AS name, kind, count(*) AS n FROM correlation_difference GROUP BY ALL';

export const countedRelationsSql =
  'SELECT relationship AS name, kind, count(*) AS n FROM relation_difference GROUP BY ALL';

/** The changes of paths without their rows: `name`, `kind`, `n`. */
export const countedPathsSql = `SELECT ${pathName('d.entity_type', 'source.activity', 'target.activity')} AS name, d.kind, d.n
  FROM (
    SELECT entity.entity_type, d.kind, d.source_kind, d.target_kind, count(*) AS n
    FROM path_difference AS d JOIN entity_pair AS entity ON entity.number = d.entity GROUP BY ALL
  ) AS d
  JOIN event_kind AS source ON source.kind = d.source_kind JOIN event_kind AS target ON target.kind = d.target_kind`;

/** After `differenceStatements`, `value_change` and `violation_difference`. */
export const changeStatements: readonly string[] = [
  eventsSql,
  entityChangesSql,
  eventChangesSql,
  correlationChangesSql,
  relationChangesSql,
  pathChangesSql,
];

/** How many events each element of a graph has: `name`, `n`. */
export function eventSizesSql(side: Side): string {
  return `SELECT element AS name, sum(n) AS n FROM (SELECT kind, count(*) AS n FROM event_${side} GROUP BY kind) JOIN event_kind USING (kind) GROUP BY 1`;
}

/** How many correlations each qualifier of a graph has: `name`, `n`. Own entities are known from the events. */
export function correlationSizesSql(side: Side): string {
  return `SELECT 'self' AS name, count(entity) AS n FROM event_${side} HAVING count(entity) > 0
    UNION ALL SELECT qualifier, count(*) FROM ${side}.event_entity WHERE qualifier <> 'self' GROUP BY 1`;
}

/** How many directly-follows edges each path of a graph has: `name`, `n`. @param hasMap whether its map is stored */
export function pathSizesSql(side: Side, hasMap: boolean): string {
  const name = pathName('entity_type', 'source_activity', 'target_activity');
  if (hasMap)
    return `SELECT ${name} AS name, sum(steps) AS n FROM ${side}.process_map WHERE source_activity IS NOT NULL GROUP BY 1`;
  return `SELECT ${name} AS name, sum(n) AS n FROM (
      SELECT entity.entity_type, source_kind.activity AS source_activity, target_kind.activity AS target_activity, count(*) AS n
      FROM ${side}.directly_follows AS d JOIN ${side}.entity AS entity ON entity.id = d.entity_id
      JOIN event_${side} AS source ON source.id = d.source_event_id JOIN event_kind AS source_kind ON source_kind.kind = source.kind
      JOIN event_${side} AS target ON target.id = d.target_event_id JOIN event_kind AS target_kind ON target_kind.kind = target.kind
      GROUP BY ALL)
    GROUP BY 1`;
}

/** How many entities of each type have a variant: `name`, `n`. */
export function variantSizesSql(side: Side, hasMap: boolean): string {
  if (hasMap)
    return `SELECT entity_type AS name, sum(steps) AS n FROM ${side}.process_map WHERE source_activity IS NULL GROUP BY 1`;
  return `SELECT entity_type AS name, count(*) AS n FROM ${side}.entity SEMI JOIN (SELECT ee.entity_id ${stepEventsSql('', `${side}.`)}) AS step ON step.entity_id = entity.id GROUP BY 1`;
}
