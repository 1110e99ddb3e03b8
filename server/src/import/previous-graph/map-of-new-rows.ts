import { durationClassSql, millisecondsSql } from '../../graph-schema/duration-classes.ts';
import { codedEventsTable, mapPartTables } from '../../graph-schema/storage-tables.ts';
import { codedEventsSql } from '../build/coded-events.ts';
import { keptParts } from '../build/map-parts.ts';
import { createProcessMapActivitySql } from '../build/process-map-activities.ts';
import { countLackingSql, createProcessMapPathSql } from '../build/process-map-paths.ts';
import { createProcessMapSql, numberedTypes } from '../build/process-map.ts';
import type { GraphShape } from '../build/rows.ts';
import type { StagedElement } from '../build/staged-element.ts';
import { copyBuild } from './graph-copy.ts';
import { firstId } from './new-rows.ts';
import type { CountedChange } from './reuse-work.ts';

const { graph, storage } = copyBuild;
const event = `${storage.tables}.${codedEventsTable}`;
const parts = keptParts(storage);
const follows = `${graph}.directly_follows`;

/** The columns that name a class of a path. */
const pathClass = 'type, source, target, duration_class';

/**
 * Notes the steps that lead to events from the first new one on: those of the graph with new rows (`is_new`), and those
 * of the graph without them. The difference is what the process map lacks. From `ranked`, `moved_events` and events that
 * are still in the graph.
 * @param areMoved ids of entities have changed
 */
export function createLaterStepsSql(elements: readonly StagedElement[], shape: GraphShape, areMoved: boolean): string {
  const { activities } = shape;
  const activity = activities ? 'coalesce(CAST(activity AS VARCHAR), other_activity)' : 'CAST(element AS VARCHAR)';
  const named = (id: string, entity: string): string =>
    `${id} AS id, ${entity} AS entity_id, time, ${activity} AS activity, CAST(lifecycle AS VARCHAR) AS lifecycle`;
  const later = (from: string, id: string): string =>
    `SELECT ${named(id, 'entity_id')} FROM (${codedEventsSql(elements, shape, { from, columns: [id] })}) AS events`;
  const own = areMoved
    ? 'SELECT old_id, id AS new_id FROM moved_entities SEMI JOIN ranked ON ranked.entity_id = moved_entities.id'
    : 'SELECT DISTINCT entity_id AS old_id, entity_id AS new_id FROM ranked';
  const latest = `SELECT ${named('events.id', 'latest.new_id')} FROM ${event} AS events JOIN (
        SELECT max(earlier.id) AS id, own.new_id FROM ${event} AS earlier JOIN (${own}) AS own ON own.old_id = earlier.entity_id
        WHERE earlier.id < ${firstId} GROUP BY own.new_id
      ) AS latest ON latest.id = events.id`;
  return `CREATE TEMP TABLE later_steps AS
    SELECT is_new, entity_id, previous_id AS source_event_id, id AS target_event_id, previous_place AS source, place AS target,
      ${millisecondsSql('previous_time', 'time')} AS duration,
      CASE WHEN previous_id IS NOT NULL THEN CAST(epoch_us(time) AS HUGEINT) - CAST(epoch_us(previous_time) AS HUGEINT) ELSE 0 END AS microseconds
    FROM (
      SELECT is_new, entity_id, id, place, time, lag(id) OVER own AS previous_id, lag(place) OVER own AS previous_place, lag(time) OVER own AS previous_time
      FROM (
        SELECT true AS is_new, * FROM (${later('ranked', 'id')}) AS new_events
        UNION ALL SELECT false, * FROM (${later('moved_events', 'old_id')}) AS old_events
        UNION ALL SELECT is_new, latest.* FROM (VALUES (true), (false)) AS graphs(is_new), (${latest}) AS latest
      ) AS events LEFT JOIN ${parts.places} AS places USING (activity, lifecycle)
      WINDOW own AS (PARTITION BY is_new, entity_id ORDER BY id)
    ) AS steps WHERE id >= ${firstId}`;
}

/** Counts steps with an activity and lifecycle that the graph had none of (`unplaced`). */
export const countUnplacedSql =
  'SELECT count(*) AS unplaced FROM later_steps WHERE target IS NULL OR (source_event_id IS NOT NULL AND source IS NULL)';

/** Adds steps to the parts of the map, or takes them away. Times of classes that are not kept as a whole stay away. */
export function writePartsSql(entityTypes: readonly string[]): readonly string[] {
  const { numberOf } = numberedTypes(entityTypes, copyBuild);
  const { classes, durations } = parts;
  const step = `SELECT ${numberOf('entity_id')} AS type, source, target, ${durationClassSql('duration')} AS duration_class,
        duration, microseconds, source_event_id IS NULL AS is_first, CASE WHEN is_new THEN 1 ELSE -1 END AS n FROM later_steps`;
  return [
    `CREATE TABLE ${durations}_with_new AS SELECT ${pathClass}, duration, CAST(sum(n) AS BIGINT) AS n FROM (
      SELECT ${pathClass}, duration, n FROM ${durations}
      UNION ALL
      SELECT ${pathClass}, duration, n FROM (SELECT * FROM (${step}) AS step WHERE NOT is_first) AS step
        ANTI JOIN (SELECT ${pathClass} FROM ${classes} WHERE source IS NOT NULL EXCEPT SELECT ${pathClass} FROM ${durations}) AS partial USING (${pathClass})
    ) AS added GROUP BY ALL HAVING sum(n) <> 0`,
    `CREATE TABLE ${classes}_with_new AS SELECT ${pathClass}, CAST(sum(steps) AS BIGINT) AS steps, sum(microseconds) AS microseconds FROM (
      SELECT ${pathClass}, steps, microseconds FROM ${classes}
      UNION ALL SELECT ${pathClass}, n, n * microseconds FROM (${step}) AS step
    ) AS added GROUP BY ALL HAVING sum(steps) <> 0 OR sum(microseconds) <> 0`,
    ...(['durations', 'classes'] as const).flatMap((part) => [
      `DROP TABLE ${parts[part]}`,
      `ALTER TABLE ${parts[part]}_with_new RENAME TO ${mapPartTables[part]}`,
    ]),
  ];
}

/** Counts impossible numbers in the parts of the map (`impossible`). */
export const countImpossibleSql = `SELECT (SELECT count(*) FROM ${parts.classes} WHERE steps <= 0) + (SELECT count(*) FROM ${parts.durations} WHERE n <= 0) AS impossible`;

/** Writes the numbers of the map. */
export function writeMapSql(entityTypes: readonly string[]): readonly string[] {
  return [
    ...['process_map', 'process_map_activity'].map((name) => `DROP TABLE ${graph}.${name}`),
    createProcessMapSql(entityTypes, copyBuild, parts),
    // Each event has its own entity only.
    createProcessMapActivitySql(entityTypes, copyBuild, new Set()),
  ];
}

/** Counts the classes of quantiles whose times are not kept (`lacking`). */
export function countLackingTimesSql(entityTypes: readonly string[]): string {
  return countLackingSql(entityTypes, copyBuild, parts);
}

/** Writes the quantiles of the map. */
export function writeQuantilesSql(entityTypes: readonly string[]): readonly string[] {
  return [`DROP TABLE ${graph}.process_map_path`, createProcessMapPathSql(entityTypes, copyBuild, parts)];
}

/** Writes the ids of entities that have changed into directly-follows, without the steps that `writeFollows` replaces. */
export const moveFollowsSql: readonly string[] = [
  `CREATE TABLE ${follows}_with_new AS SELECT entity.id AS entity_id, edge.source_event_id, edge.target_event_id
    FROM ${follows} AS edge JOIN moved_entities AS entity ON entity.old_id = edge.entity_id`,
  `DROP TABLE ${follows}`,
  `ALTER TABLE ${follows}_with_new RENAME TO directly_follows`,
];

/** Replaces the steps of directly-follows that lead to events from the first new one on. */
export const writeFollows: readonly CountedChange[] = [
  {
    sql: `DELETE FROM ${follows} WHERE target_event_id >= ${firstId}`,
    expected: 'SELECT count(*) AS rows FROM later_steps WHERE NOT is_new AND source_event_id IS NOT NULL',
  },
  {
    sql: `INSERT INTO ${follows} SELECT entity_id, source_event_id, target_event_id FROM later_steps
    WHERE is_new AND source_event_id IS NOT NULL ORDER BY entity_id, target_event_id`,
    expected: 'SELECT count(*) AS rows FROM later_steps WHERE is_new AND source_event_id IS NOT NULL',
  },
];
