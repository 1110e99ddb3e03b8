import { duckdb } from '../dialects/duckdb.ts';
import { type Places, eventPlaceSql, noEnd } from './event-place.ts';

/**
 * The events that are steps of entities, each once, as `FROM` and `JOIN`: `ee.entity_id`, and the event `v`. Ends are none.
 * @param where a clause about `ee.entity_id`
 * @param graph the attached graph and a point, such as `before.`; the graph of the session without it
 */
export function stepEventsSql(where = '', graph = ''): string {
  return `FROM (SELECT DISTINCT ee.event_id, ee.entity_id FROM ${graph}event_entity AS ee ${where}) AS ee JOIN ${graph}event AS v ON v.id = ee.event_id AND ${noEnd('v')}`;
}

/** Which steps are told apart, and whether entities may have events other than their own; default: they may. */
interface Steps extends Places {
  readonly hasCorrelations?: boolean | undefined;
}

/**
 * The activities of each entity that has events, without ends: `entity_id`, `id` of the event, `activity`, and `step`, its place in
 * their order, from 1. Event ids are chronological.
 * @param where a clause about `ee.entity_id`
 */
export function stepsSql({ lifecycle, hasCorrelations = true }: Steps, where = ''): string {
  if (!hasCorrelations) {
    return `SELECT ee.entity_id, ee.id, ${eventPlaceSql('ee', { lifecycle })} AS activity, row_number() OVER (PARTITION BY ee.entity_id ORDER BY ee.id) AS step
    FROM event AS ee ${where === '' ? 'WHERE' : `${where} AND`} ee.entity_id IS NOT NULL AND ${noEnd('ee')}`;
  }
  return `SELECT ee.entity_id, v.id, ${eventPlaceSql('v', { lifecycle })} AS activity, row_number() OVER (PARTITION BY ee.entity_id ORDER BY v.id) AS step
    ${stepEventsSql(where)}`;
}

/**
 * The variant of each entity that has events: `entity_id`, its `id`, and `events`, their number. The id is a sum of
 * hashes of the activities with their places: lists of names of millions of entities would not fit into memory.
 */
export function pathsSql(view: Steps, where = ''): string {
  return `SELECT s.entity_id, CAST(sum(hash(s.step || ' ' || s.activity)) AS VARCHAR) AS id, count(*) AS events
    FROM (${stepsSql(view, where)}) AS s GROUP BY s.entity_id`;
}

/** The `id` and the `number` of each variant of the table `path`, that of `pathsSql`: the most frequent one is 1. */
export const numbersSql =
  'SELECT id, row_number() OVER (ORDER BY count(*) DESC, any_value(events), min(entity_id)) AS number FROM path GROUP BY id';

/**
 * The variant of each entity of a type that has events: `entity_id`, `id`, `events`, `number`. Numbers are those of the
 * whole type, whatever the filter, so that a number always means the same variant.
 */
export function numberedPathsSql(entityType: string, hasCorrelations = true): string {
  const isOfType = `WHERE ee.entity_id IN (SELECT e.id FROM entity AS e WHERE e.entity_type = ${duckdb.literals.quote(entityType)})`;
  return `WITH path AS MATERIALIZED (${pathsSql({ lifecycle: false, hasCorrelations }, isOfType)}), numbered AS (${numbersSql})
  SELECT path.entity_id, path.id, path.events, numbered.number FROM path JOIN numbered ON numbered.id = path.id`;
}
