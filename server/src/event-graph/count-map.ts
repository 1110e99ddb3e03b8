import { durationClassSql, interpolateSql, millisecondsSql, shownQuantiles } from '../graph-schema/duration-classes.ts';
import { entityCondition, eventCondition } from '../analysis/filter-entities.ts';
import { eventPlaceSql, noEnd, noEndId } from '../analysis/event-place.ts';
import { type MapQuery, type MapView, type Row, stepsCountSql, whereSql } from './map-query.ts';

/** Distinct events of each activity: `activity`, `n`. */
export async function countEvents({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const belonging = eventCondition(view.filter, 'v.id');
  const ofEvents = (condition: string): string =>
    `SELECT ${eventPlaceSql('v', view)} AS activity, count(*) AS n FROM event AS v WHERE ${noEnd('v')} AND ${condition} GROUP BY 1`;
  // Events with an entity of their own belong to it; only the few others are looked up.
  const others = 'v.entity_id IS NULL AND v.id IN (SELECT event_id FROM event_entity)';
  const counted =
    belonging === undefined
      ? `${ofEvents('v.entity_id IS NOT NULL')} UNION ALL ${ofEvents(others)}`
      : ofEvents(belonging);
  return store.query(`SELECT activity, sum(n) AS n FROM (${counted}) AS counted GROUP BY 1`, options);
}

/** Counts per activity of a map of all types: `activity`, `n`. */
export async function countNodes(query: MapQuery): Promise<readonly Row[]> {
  const { store, view, options } = query;
  if (view.measure === 'events') return countEvents(query);
  const counted = view.measure === 'objects' ? 'count(DISTINCT ee.entity_id)' : 'count(*)';
  return store.query(
    `SELECT ${eventPlaceSql('v', view)} AS activity, ${counted} AS n
     FROM (SELECT DISTINCT ee.event_id, ee.entity_id FROM event_entity AS ee ${whereSql(entityCondition(view.filter, 'ee.entity_id'))}) AS ee
       JOIN event AS v ON v.id = ee.event_id AND ${noEnd('v')} GROUP BY 1`,
    options,
  );
}

/** The columns of a path, and the counted rows of `directly_follows` (`df`) with their events `s` and `t`. */
function pathSql(view: MapView): { readonly columns: string; readonly from: string; readonly groups: string } {
  const isOfAll = view.filter.entityType === undefined;
  return {
    columns: `${isOfAll ? 'e.entity_type, ' : ''}${eventPlaceSql('s', view)} AS source, ${eventPlaceSql('t', view)} AS target`,
    from: `directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
       ${isOfAll ? 'JOIN entity AS e ON e.id = df.entity_id ' : ''}${whereSql(entityCondition(view.filter, 'df.entity_id'))}`,
    groups: isOfAll ? '1, 2, 3' : '1, 2',
  };
}

/** Counts per path, by the measure of the map: `n`. */
export async function countSteps({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const { columns, from, groups } = pathSql(view);
  return store.query(`SELECT ${columns}, ${stepsCountSql(view, 'df.')} AS n FROM ${from} GROUP BY ${groups}`, options);
}

/** How many rows of `directly_follows` a map counts; without a filter, none is read. */
export async function countStepRows({ store, view, options }: MapQuery, atMost: number): Promise<number> {
  const number = async (where: string): Promise<number> =>
    Number((await store.query(`SELECT count(*) AS steps FROM directly_follows AS df ${where}`, options))[0]?.['steps']);
  const all = await number('');
  return all <= atMost ? all : number(whereSql(entityCondition(view.filter, 'df.entity_id')));
}

/** Rows of `directly_follows` (`n`), exact quantiles, and the sum, per path. The sum is rounded, as its last digits depend on the order of the rows. */
export async function countPaths({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const { columns, from, groups } = pathSql(view);
  const quantiles = Object.entries(shownQuantiles).map(
    ([name, quantile]) => `quantile_cont(${millisecondsSql('s.time', 't.time')}, ${quantile}) AS ${name}`,
  );
  const total = `round(sum(${millisecondsSql('s.time', 't.time')})) AS total`;
  return store.query(
    `SELECT ${columns}, count(*) AS n, ${quantiles.join(', ')}, ${total} FROM ${from} GROUP BY ${groups}`,
    options,
  );
}

/** Counts paths in bounded memory: each duration is replaced by the mean of its class. */
export async function countPathsByClass({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const { columns, from } = pathSql(view);
  const path = view.filter.entityType === undefined ? 'entity_type, source, target' : 'source, target';
  const quantiles = Object.entries(shownQuantiles).map(
    ([name, quantile]) =>
      `${interpolateSql(quantile, 'total', (place) => `min(mean) FILTER (WHERE upto > ${place})`)} AS ${name}`,
  );
  return store.query(
    `SELECT ${path}, ${quantiles.join(', ')}, round(sum(milliseconds)) AS total FROM (
       SELECT ${path}, milliseconds, milliseconds / steps AS mean, sum(steps) OVER path AS total, sum(steps) OVER (path ORDER BY duration_class) AS upto
       FROM (
         SELECT ${path}, ${durationClassSql('duration')} AS duration_class, count(*) AS steps, sum(duration) AS milliseconds
         FROM (SELECT ${columns}, ${millisecondsSql('s.time', 't.time')} AS duration FROM ${from}) AS timed
         WHERE duration IS NOT NULL GROUP BY ${path}, duration_class
       ) AS classed WINDOW path AS (PARTITION BY ${path})
     ) AS running GROUP BY ${path}, running.total`,
    options,
  );
}

/**
 * Number of entities that start and end with each activity: `activity`, `starts`, `ends`. Event ids are chronological.
 */
export async function countEnds({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const name = eventPlaceSql('v', view);
  return store.query(
    `WITH bounds AS (SELECT min(ee.event_id) AS first, max(ee.event_id) AS last FROM event_entity AS ee ${whereSql(noEndId('ee.event_id'), entityCondition(view.filter, 'ee.entity_id'))} GROUP BY ee.entity_id)
     SELECT activity, sum(starts) AS starts, sum(ends) AS ends FROM (
       SELECT ${name} AS activity, count(*) AS starts, 0 AS ends FROM bounds JOIN event AS v ON v.id = bounds.first GROUP BY 1
       UNION ALL
       SELECT ${name} AS activity, 0 AS starts, count(*) AS ends FROM bounds JOIN event AS v ON v.id = bounds.last GROUP BY 1
     ) AS bounded GROUP BY 1`,
    options,
  );
}
