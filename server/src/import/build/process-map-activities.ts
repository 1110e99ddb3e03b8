import type { BuildDialect } from './build-dialect.ts';
import { numberedTypes } from './process-map.ts';

/**
 * Creates the table `process_map_activity`: the distinct events of each activity, by type of entity. It reads `event` and `event_entity`. Events of an
 * entity of the type itself are distinct as they are; only of those of others, one may belong to several entities of the type.
 *
 * @param entityTypes at least one, in any order
 */
export function createProcessMapActivitySql(entityTypes: readonly string[], dialect: BuildDialect): string {
  const { graph } = dialect;
  const { names, numberOf } = numberedTypes(entityTypes, dialect);
  return `CREATE TABLE ${graph}.process_map_activity AS
    SELECT ${names}[type] AS entity_type, activity, lifecycle, count(*) AS events FROM (
      SELECT ${numberOf('entity_id')} AS type, activity, lifecycle FROM ${graph}.event WHERE entity_id IS NOT NULL
      UNION ALL
      SELECT other.type, event.activity, event.lifecycle
      FROM (SELECT DISTINCT ${numberOf('entity_id')} AS type, event_id FROM ${graph}.event_entity WHERE qualifier <> 'self') AS other
        JOIN ${graph}.event AS event ON event.id = other.event_id
      WHERE ${numberOf('event.entity_id')} IS DISTINCT FROM other.type
    ) AS belonging GROUP BY type, activity, lifecycle ORDER BY ALL`;
}
