import { stepEventsSql } from '../analysis/variant-sql.ts';
import type { CreateTable, Side } from './pair-events.ts';

/*
 * What links entities and events is compared by the numbers of `entity_pair` and `event_pair`, so that no ids of two
 * graphs are compared.
 */

/** Correlations of one graph: `event`, `entity`, `qualifier`. */
function correlationsSql(side: Side): string {
  return `SELECT event.number AS event, entity.number AS entity, c.qualifier FROM ${side}.event_entity AS c
    JOIN event_pair AS event ON event.${side}_id = c.event_id JOIN entity_pair AS entity ON entity.${side}_id = c.entity_id`;
}

function relationsSql(side: Side): string {
  return `SELECT r.relationship, source.number AS source, target.number AS target FROM ${side}.relation AS r
    JOIN entity_pair AS source ON source.${side}_id = r.source_entity_id
    JOIN entity_pair AS target ON target.${side}_id = r.target_entity_id`;
}

function stepsSql(side: Side): string {
  return `SELECT entity.number AS entity, source.number AS source, target.number AS target FROM ${side}.directly_follows AS d
    JOIN entity_pair AS entity ON entity.${side}_id = d.entity_id
    JOIN event_pair AS source ON source.${side}_id = d.source_event_id
    JOIN event_pair AS target ON target.${side}_id = d.target_event_id`;
}

/** The rows of `rows` that only one of the graphs has, with their `kind`. */
function differenceSql(rows: (side: Side) => string): string {
  return `SELECT 'gone' AS kind, * FROM (${rows('before')} EXCEPT ${rows('after')})
    UNION ALL SELECT 'new' AS kind, * FROM (${rows('after')} EXCEPT ${rows('before')})`;
}

/** What is known of events, whichever graph has them: the newer graph first. */
const eventsSql: CreateTable = `CREATE TEMP TABLE known_event AS
  SELECT pair.number, coalesce(a.element, b.element) AS element, coalesce(a.activity, b.activity) AS activity,
    coalesce(a.lifecycle, b.lifecycle) AS lifecycle, coalesce(a.entity_type, b.entity_type) AS entity_type,
    coalesce(a.key, b.key) AS key, b.time AS time_before, a.time AS time_after, pair.before_id, pair.after_id
  FROM event_pair AS pair LEFT JOIN event_before AS b ON b.id = pair.before_id LEFT JOIN event_after AS a ON a.id = pair.after_id`;

const entityChangesSql: CreateTable = `CREATE TEMP TABLE entity_change AS
  SELECT entity_type AS name, CASE WHEN before_id IS NULL THEN 'new' ELSE 'gone' END AS kind, key
  FROM entity_pair WHERE before_id IS NULL OR after_id IS NULL`;

/** An event can be moved and changed; it then has two rows. */
const eventChangesSql: CreateTable = `CREATE TEMP TABLE event_change AS
  SELECT element AS name, kind, activity, lifecycle, entity_type, key, time_before AS "before", time_after AS "after" FROM (
    SELECT *, unnest([
      CASE WHEN before_id IS NULL THEN 'new' WHEN after_id IS NULL THEN 'gone' WHEN time_before <> time_after THEN 'moved' END,
      CASE WHEN number IN (SELECT event FROM value_change WHERE event IS NOT NULL) THEN 'changed' END
    ]) AS kind FROM known_event)
  WHERE kind IS NOT NULL`;

const correlationChangesSql: CreateTable = `CREATE TEMP TABLE correlation_change AS
  SELECT d.qualifier AS name, d.kind, event.activity, event.lifecycle, coalesce(event.time_after, event.time_before) AS time,
    entity.entity_type, entity.key
  FROM (${differenceSql(correlationsSql)}) AS d
  JOIN known_event AS event ON event.number = d.event JOIN entity_pair AS entity ON entity.number = d.entity`;

const relationChangesSql: CreateTable = `CREATE TEMP TABLE relation_change AS
  SELECT d.relationship AS name, d.kind, source.entity_type AS source_type, source.key AS source_key,
    target.entity_type AS target_type, target.key AS target_key
  FROM (${differenceSql(relationsSql)}) AS d
  JOIN entity_pair AS source ON source.number = d.source JOIN entity_pair AS target ON target.number = d.target`;

/** The name of a path, from three texts. */
function pathName(type: string, source: string, target: string): string {
  return `${type} || ': ' || ${source} || ' → ' || ${target}`;
}

const pathChangesSql: CreateTable = `CREATE TEMP TABLE path_change AS
  SELECT ${pathName('entity.entity_type', 'source.activity', 'target.activity')} AS name, d.kind, entity.key,
    CASE WHEN d.kind = 'gone' THEN source.time_before ELSE source.time_after END AS source_time,
    CASE WHEN d.kind = 'gone' THEN target.time_before ELSE target.time_after END AS target_time
  FROM (${differenceSql(stepsSql)}) AS d JOIN entity_pair AS entity ON entity.number = d.entity
  JOIN known_event AS source ON source.number = d.source JOIN known_event AS target ON target.number = d.target`;

/** How many directly-follows edges each path of a graph has: `name`, `n`. */
export function pathSizesSql(side: Side): string {
  return `SELECT ${pathName('entity.entity_type', 'source.activity', 'target.activity')} AS name, count(*) AS n
    FROM ${side}.directly_follows AS d JOIN ${side}.entity AS entity ON entity.id = d.entity_id
    JOIN event_${side} AS source ON source.id = d.source_event_id JOIN event_${side} AS target ON target.id = d.target_event_id
    GROUP BY 1`;
}

/** The activities of each entity with steps, in order, without ends (docs/semantics.md#134-process-map). */
function variantsSql(side: Side): CreateTable {
  return `CREATE TEMP TABLE variant_${side} AS
    SELECT entity.number, any_value(entity.entity_type) AS entity_type, any_value(entity.key) AS key,
      list(v.activity ORDER BY v.id) AS activities
    ${stepEventsSql('', `${side}.`)}
    JOIN entity_pair AS entity ON entity.${side}_id = ee.entity_id
    GROUP BY entity.number`;
}

const variantChangesSql: CreateTable = `CREATE TEMP TABLE variant_change AS
  SELECT entity_type AS name, CASE WHEN b.activities IS NULL THEN 'new' WHEN a.activities IS NULL THEN 'gone' ELSE 'changed' END AS kind,
    key, CAST(b.activities AS VARCHAR) AS "before", CAST(a.activities AS VARCHAR) AS "after"
  FROM variant_before AS b FULL JOIN variant_after AS a USING (number, entity_type, key)
  WHERE a.activities IS DISTINCT FROM b.activities`;

/** Activities of a variant that are listed; some variants have thousands. */
const listedActivities = 100;

/** The variants whose numbers of cases differ, those with most difference first, and how many there are, without the limit. */
export function variantCasesSql(limit: number): string {
  const cases = (side: Side): string =>
    `SELECT entity_type, activities, count(*) AS n FROM variant_${side} GROUP BY ALL`;
  return `SELECT entity_type, to_json(activities[:${listedActivities}]) AS activities, len(activities) AS events, coalesce(b.n, 0) AS before, coalesce(a.n, 0) AS after,
      count(*) OVER () AS differing
    FROM (${cases('before')}) AS b FULL JOIN (${cases('after')}) AS a USING (entity_type, activities)
    WHERE a.n IS DISTINCT FROM b.n ORDER BY abs(coalesce(a.n, 0) - coalesce(b.n, 0)) DESC, entity_type, activities LIMIT ${Math.trunc(limit)}`;
}

/** After `entity_pair`, `event_pair` and `value_change`. */
export const linkStatements: readonly CreateTable[] = [
  eventsSql,
  entityChangesSql,
  eventChangesSql,
  correlationChangesSql,
  relationChangesSql,
  pathChangesSql,
  variantsSql('before'),
  variantsSql('after'),
  variantChangesSql,
];
