import { placeSql } from '../analysis/event-place.ts';
import { type MapQuery, type Row, typeCondition, whereSql } from './map-query.ts';

/** Paths counted by the import: `entity_type` on a map of all types, `source`, `target`, `n`, `median`, `p90` and `total`. */
export async function storedPaths({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const place = (side: string): string => placeSql(`${side}_activity`, `${side}_lifecycle`, view);
  const isOfAll = view.filter.entityType === undefined;
  const columns = `${isOfAll ? 'entity_type, ' : ''}${place('source')} AS source, ${place('target')} AS target`;
  const keys = `${isOfAll ? 'entity_type, ' : ''}source, target`;
  const isApart = `source_lifecycle IS ${view.lifecycle ? 'NOT NULL' : 'NULL'}`;
  return store.query(
    `SELECT ${keys}, n, median, p90, total FROM (
       SELECT ${columns}, steps AS n, median, p90 FROM process_map_path ${whereSql(isApart, typeCondition(view))}
     ) AS timed JOIN (
       SELECT ${columns}, round(sum(milliseconds)) AS total
       FROM process_map ${whereSql('source_activity IS NOT NULL', typeCondition(view))} GROUP BY ALL
     ) AS added USING (${keys})`,
    options,
  );
}

/** Counts the entities that begin and end with each activity. Ends are the events without a follower. */
export async function storedEnds({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  const place = (side: string): string => placeSql(`${side}_activity`, `${side}_lifecycle`, view);
  const isFirst = 'source_activity IS NULL';
  return store.query(
    `SELECT activity, sum(starts) AS starts, sum(ends) AS ends FROM (
       SELECT ${place('target')} AS activity, CASE WHEN ${isFirst} THEN steps ELSE 0 END AS starts, steps AS ends FROM process_map ${whereSql(typeCondition(view))}
       UNION ALL
       SELECT ${place('source')}, 0, -steps FROM process_map ${whereSql(`NOT (${isFirst})`, typeCondition(view))}
     ) AS counted GROUP BY 1`,
    options,
  );
}

/** Distinct events of each activity that belong to entities of the type. */
export async function storedEvents({ store, view, options }: MapQuery): Promise<readonly Row[]> {
  return store.query(
    `SELECT ${placeSql('activity', 'lifecycle', view)} AS activity, sum(events) AS n FROM process_map_activity ${whereSql(typeCondition(view))} GROUP BY 1`,
    options,
  );
}
