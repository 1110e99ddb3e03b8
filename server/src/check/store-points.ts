import type { DuckDbSession } from '../store/duckdb-store.ts';
import type { CheckPoint } from './check-point.ts';

/** What every graph store holds, whatever it was made from. */
export async function storePoints(store: DuckDbSession): Promise<readonly CheckPoint[]> {
  const tables = await store.query(
    `SELECT table_name AS name FROM duckdb_tables() WHERE table_name LIKE 'properties\\_%' ESCAPE '\\' OR table_name = 'process_map' ORDER BY 1`,
  );
  const points = tables.map(({ name }) => (name === 'process_map' ? processMapPoint : propertiesPoint(String(name))));
  return [...fixedPoints, ...points];
}

const counted = [
  'events:event',
  'entities:entity',
  'correlations:event_entity',
  'relations:relation',
  'directlyFollows:directly_follows',
];
const views = ['node_event', 'node_entity', 'edge_corr', 'edge_df', 'edge_rel'];

const fixedPoints: readonly CheckPoint[] = [
  {
    name: 'The store has one run record of a format that is known',
    sql: `SELECT 'format ' || coalesce(CAST(max(format_version) AS VARCHAR), 'unknown') || ', ' || count(*) || ' records' AS example
      FROM run HAVING count(*) <> 1 OR max(format_version) <> 1`,
  },
  {
    name: 'The tables have as many rows as the run record says',
    sql: counted
      .map((pair) => pair.split(':'))
      .map(([name, table]) => {
        const said = `CAST(counts->>'$.totals.${name}' AS BIGINT)`;
        return `SELECT '${table}: ' || n || ' rows, ' || ${said} || ' recorded' AS example
          FROM run, (SELECT count(*) AS n FROM ${table}) WHERE n IS DISTINCT FROM ${said}`;
      })
      .join(' UNION ALL '),
  },
  {
    name: 'The usual views are there',
    sql: `SELECT name AS example FROM (VALUES ${views.map((view) => `('${view}')`).join(', ')}) AS wanted(name)
      WHERE name NOT IN (SELECT view_name FROM duckdb_views())`,
  },
  {
    name: 'Each entity type and key is one entity',
    sql: `SELECT entity_type || ' ' || key AS example FROM entity GROUP BY entity_type, key HAVING count(*) > 1`,
  },
  { name: 'Entities have ids of their own', sql: 'SELECT id AS example FROM entity GROUP BY id HAVING count(*) > 1' },
  {
    name: 'Events are numbered from 1 without gap',
    sql: `SELECT 'events ' || min(id) || ' to ' || max(id) || ', ' || count(DISTINCT id) || ' different of ' || count(*) AS example FROM event
      HAVING min(id) <> 1 OR max(id) <> count(*) OR count(DISTINCT id) <> count(*)`,
  },
  {
    name: 'Events are numbered in the order of time',
    sql: `SELECT id AS example FROM (SELECT id, time < lag(time) OVER (ORDER BY id) AS early FROM event) WHERE early`,
  },
  {
    name: 'Every event has an activity, a time and a lifecycle',
    sql: `SELECT id AS example FROM event WHERE activity IS NULL OR time IS NULL OR lifecycle IS NULL OR lifecycle NOT IN ('start', 'change')`,
  },
  {
    name: 'Every event belongs to an entity',
    sql: 'SELECT event.id AS example FROM event ANTI JOIN entity ON entity.id = event.entity_id',
  },
  {
    name: 'Every event is correlated with its own entity, once',
    sql: `SELECT id AS example FROM event
      LEFT JOIN event_entity AS own ON own.event_id = id AND own.entity_id = event.entity_id
      GROUP BY id HAVING count(own.qualifier) <> 1 OR any_value(own.qualifier) <> 'self'`,
  },
  {
    name: 'No event is correlated with another entity as its own',
    sql: `SELECT event_id || ' with ' || own.entity_id AS example FROM event_entity AS own JOIN event ON event.id = event_id
      WHERE qualifier = 'self' AND own.entity_id <> event.entity_id`,
  },
  {
    name: 'No correlation is there twice',
    sql: `SELECT event_id || ' with ' || entity_id || ', ' || qualifier AS example FROM event_entity
      GROUP BY event_id, entity_id, qualifier HAVING count(*) > 1`,
  },
  {
    name: 'Correlations lead to events and entities that exist',
    sql: `SELECT event_id || ' with ' || entity_id AS example FROM event_entity ANTI JOIN event ON event.id = event_id
      UNION ALL SELECT event_id || ' with ' || entity_id FROM event_entity ANTI JOIN entity ON entity.id = entity_id`,
  },
  {
    name: 'Correlations with other entities follow from a relation',
    sql: `SELECT event_id || ' with ' || other.entity_id || ', ' || qualifier AS example
      FROM event_entity AS other JOIN event ON event.id = event_id
      ANTI JOIN (SELECT relationship, source_entity_id AS one, target_entity_id AS two FROM relation
        UNION SELECT relationship, target_entity_id, source_entity_id FROM relation) AS pair
        ON pair.relationship = qualifier AND pair.one = event.entity_id AND pair.two = other.entity_id
      WHERE qualifier <> 'self'`,
  },
  {
    name: 'Relations lead to entities that exist, and none is there twice',
    sql: `SELECT source_entity_id || ' to ' || target_entity_id AS example FROM relation ANTI JOIN entity ON entity.id = source_entity_id
      UNION ALL SELECT source_entity_id || ' to ' || target_entity_id FROM relation ANTI JOIN entity ON entity.id = target_entity_id
      UNION ALL SELECT relationship || ', ' || source_entity_id || ' to ' || target_entity_id FROM relation
        GROUP BY relationship, source_entity_id, target_entity_id HAVING count(*) > 1`,
  },
  {
    name: 'Directly-follows edges link the neighbours among the distinct events of each entity, and nothing else',
    sql: `WITH expected AS (
        SELECT entity_id, source_event_id, event_id AS target_event_id FROM (
          SELECT entity_id, event_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id
          FROM (SELECT DISTINCT entity_id, event_id FROM event_entity)
        ) WHERE source_event_id IS NOT NULL
      )
      SELECT 'missing for entity ' || entity_id || ': ' || source_event_id || ' to ' || target_event_id AS example
      FROM (FROM expected EXCEPT ALL SELECT entity_id, source_event_id, target_event_id FROM directly_follows)
      UNION ALL SELECT 'wrong for entity ' || entity_id || ': ' || source_event_id || ' to ' || target_event_id
      FROM (SELECT entity_id, source_event_id, target_event_id FROM directly_follows EXCEPT ALL FROM expected)`,
  },
];

/** Graphs of earlier versions, and those that were fetched from their source, have no such table. */
const processMapPoint: CheckPoint = {
  name: 'The process map counts the first event of each entity and every pair of neighbours once',
  sql: `WITH step AS (
      SELECT entity_id, source_event_id, target_event_id FROM directly_follows
      UNION ALL SELECT entity_id, NULL, min(event_id) FROM event_entity GROUP BY 1
    ), place AS (SELECT id, activity || ' (' || lifecycle || ')' AS place FROM event),
    expected AS (
      SELECT entity_type || ': ' || coalesce(source.place || ' to ', 'begins with ') || target.place AS step, count(*) AS steps
      FROM step JOIN entity ON entity.id = step.entity_id JOIN place AS target ON target.id = target_event_id LEFT JOIN place AS source ON source.id = source_event_id
      GROUP BY 1
    ), counted AS (
      SELECT entity_type || ': ' || coalesce(source_activity || ' (' || source_lifecycle || ') to ', 'begins with ') || target_activity || ' (' || target_lifecycle || ')' AS step,
        sum(steps) AS steps FROM process_map GROUP BY 1
    )
    SELECT step || ', ' || coalesce(counted.steps, 0) || ' instead of ' || coalesce(expected.steps, 0) AS example
    FROM expected FULL JOIN counted USING (step) WHERE expected.steps IS DISTINCT FROM counted.steps`,
};

/** The element of a table is known by its events. */
function propertiesPoint(table: string): CheckPoint {
  return {
    name: `${table} has one row for each event of one element`,
    sql: `WITH held AS (SELECT event_id, count(*) AS n FROM ${table} GROUP BY 1),
        own AS (SELECT DISTINCT element FROM event JOIN held ON held.event_id = event.id)
      SELECT 'event ' || coalesce(event_id, id) AS example FROM held
        FULL JOIN (SELECT id FROM event WHERE element IN (FROM own)) AS expected ON expected.id = held.event_id
        WHERE n IS DISTINCT FROM 1 OR id IS NULL
      UNION ALL SELECT 'elements ' || string_agg(element, ', ') FROM own HAVING count(*) > 1`,
  };
}
