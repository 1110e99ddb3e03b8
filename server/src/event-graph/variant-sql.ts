import { type MapView, eventPlaceSql } from './map-query.ts';

/**
 * The variant of each entity that has events: `entity_id` and its `id`, a hash of its activities in their order; named,
 * also `events`, their number, and `activities`. Event ids are chronological.
 */
export function pathsSql(
  { lifecycle, isNamed = false }: Pick<MapView, 'lifecycle'> & { readonly isNamed?: boolean },
  where = '',
): string {
  const place = eventPlaceSql('v', { lifecycle });
  // With its length in front, a name cannot be mistaken for several.
  const id = `md5(string_agg(length(${place}) || ':' || ${place}, '' ORDER BY v.id))`;
  const named = isNamed ? `, count(*) AS events, list(${place} ORDER BY v.id) AS activities` : '';
  return `SELECT ee.entity_id, ${id} AS id${named}
    FROM (SELECT DISTINCT ee.event_id, ee.entity_id FROM event_entity AS ee ${where}) AS ee JOIN event AS v ON v.id = ee.event_id
    GROUP BY ee.entity_id`;
}
