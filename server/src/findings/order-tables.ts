import { noEnd } from '../analysis/event-place.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { OpenStore } from './open-store.ts';

const { quote } = duckdb.literals;

/** Of this connection: the events of entities that have one of their activity only. */
export const onceTable = 'temp.finding_once';

/** Pairs of rarer activities are left out: their number grows with the square. */
const mostActivities = 40;

/** Two activities that most entities of a type have once each, in one order. */
export interface OrderedPair {
  readonly entityType: string;
  readonly cause: string;
  readonly effect: string;
  readonly causeElement: string;
  readonly effectElement: string;
  /** Entities with the cause first, and with the effect first. */
  readonly forth: number;
  readonly back: number;
}

/** Entities that have both, at least. */
const leastEntities = 30;
/** Of the entities with the effect, this share has the cause. */
const leastNeeded = 0.8;

/** Creates the table of single events. */
async function createOnceTable({ store, options }: OpenStore): Promise<void> {
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_once AS
WITH pair AS (
  SELECT DISTINCT c.entity_id, v.id, v.activity, v.element, v.time FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${noEnd('v')}
), usual AS (
  SELECT entity_type, activity FROM (
    SELECT e.entity_type, p.activity, count(*) AS events FROM pair AS p JOIN entity AS e ON e.id = p.entity_id GROUP BY ALL
  ) AS counted QUALIFY row_number() OVER (PARTITION BY entity_type ORDER BY events DESC, activity) <= ${mostActivities}
)
SELECT p.entity_id, e.entity_type, p.activity, any_value(p.element) AS element, any_value(p.id) AS id, any_value(p.time) AS time
FROM pair AS p JOIN entity AS e ON e.id = p.entity_id JOIN usual AS u ON u.entity_type = e.entity_type AND u.activity = p.activity
GROUP BY p.entity_id, e.entity_type, p.activity HAVING count(*) = 1`,
    options,
  );
}

/**
 * Pairs of activities, each in its more frequent order, where some entities have the other one. Creates the table of
 * single events, too.
 */
export async function readOrderedPairs(graph: OpenStore): Promise<readonly OrderedPair[]> {
  await createOnceTable(graph);
  const { store, options } = graph;
  const rows = await store.query(
    `WITH total AS (SELECT entity_type, activity, count(*) AS entities FROM ${onceTable} GROUP BY ALL),
met AS (
  SELECT a.entity_type, a.activity AS one, b.activity AS other, any_value(a.element) AS one_element, any_value(b.element) AS other_element,
    count(*) AS entities, count(*) FILTER (WHERE a.time < b.time) AS forth, count(*) FILTER (WHERE a.time > b.time) AS back
  FROM ${onceTable} AS a JOIN ${onceTable} AS b ON a.entity_id = b.entity_id AND a.activity < b.activity GROUP BY a.entity_type, a.activity, b.activity
), turned AS (
  SELECT entity_type, one AS cause, other AS effect, one_element AS cause_element, other_element AS effect_element, entities, forth, back FROM met WHERE forth >= back
  UNION ALL SELECT entity_type, other, one, other_element, one_element, entities, back, forth FROM met WHERE back > forth
)
SELECT t.* FROM turned AS t JOIN total AS n ON n.entity_type = t.entity_type AND n.activity = t.effect
WHERE t.back > 0 AND t.entities >= ${leastEntities} AND t.entities >= ${leastNeeded} * n.entities
ORDER BY t.back DESC, t.entity_type, t.cause, t.effect`,
    options,
  );
  return rows.map((row) => ({
    entityType: String(row['entity_type']),
    cause: String(row['cause']),
    effect: String(row['effect']),
    causeElement: String(row['cause_element']),
    effectElement: String(row['effect_element']),
    forth: Number(row['forth']),
    back: Number(row['back']),
  }));
}

/** SQL of the single events `a` and `b` of the entities that have both activities of a pair. */
export function bothSql({ entityType, cause, effect }: OrderedPair): string {
  const isOf = (alias: string, activity: string): string =>
    `${alias}.entity_type = ${quote(entityType)} AND ${alias}.activity = ${quote(activity)}`;
  return `${onceTable} AS a JOIN ${onceTable} AS b ON a.entity_id = b.entity_id AND ${isOf('a', cause)} AND ${isOf('b', effect)}`;
}
