import { lifecycles } from '../../../protocol/lifecycles.ts';
import { entityEventView } from './named-views.ts';
import { type GraphTableName, countedTables, graphViews, storeVersion } from './graph-schema.ts';
import { millisecondsSql } from './duration-classes.ts';
import { type ImportCount, type Invariant, ends } from './invariant.ts';
import { processMapInvariants } from './process-map-invariants.ts';
import type { NamedTable } from './table-names.ts';

/** The row correlations of a graph (`element`, `entity_type`, `qualifier`), as its run record lists them. */
const namedByRows = `SELECT element->>'$.activityName' AS element, correlation->>'$.entityType' AS entity_type, correlation->>'$.qualifier' AS qualifier
        FROM (SELECT element, unnest(json_extract(element, '$.correlatesWith[*]')) AS correlation
          FROM (SELECT unnest(json_extract(counts, '$.elements[*]')) AS element FROM run))`;

/** The invariants of each table; of property tables for one of them. A new table adds its own here. */
const tableInvariants: Readonly<Record<GraphTableName, (table: string) => readonly Invariant[]>> = {
  // Its single row: see `storeInvariants`.
  run: () => [],
  entity: () => [
    {
      holds: 'Each entity type and key is one entity',
      violations: `SELECT entity_type || ' ' || key AS example FROM entity GROUP BY entity_type, key HAVING count(*) > 1`,
      atImport: [
        {
          counts: 'entities that are there twice',
          sql: (graph) => `SELECT count(*) - count(DISTINCT (entity_type, key)) FROM ${graph}.entity`,
          readsTextOrder: false,
        },
        {
          counts: 'entities that are there twice or out of order',
          sql: (graph) =>
            `SELECT count(*) FROM (SELECT entity_type, key, lag(entity_type) OVER () AS previous_type, lag(key) OVER () AS previous_key FROM ${graph}.entity) AS neighbours
        WHERE entity_type < previous_type OR (entity_type = previous_type AND key <= previous_key)`,
          readsTextOrder: true,
        },
      ],
    },
    {
      holds: 'Entities have ids of their own',
      violations: 'SELECT id AS example FROM entity GROUP BY id HAVING count(*) > 1',
      atImport: [
        {
          counts: 'entities that share an id',
          sql: (graph) => `SELECT count(*) - count(DISTINCT id) FROM ${graph}.entity`,
          readsRowOrder: false,
        },
        {
          counts: 'entities that share an id, or whose ids go back',
          sql: (graph) =>
            `SELECT count(*) FROM (SELECT id, lag(id) OVER () AS previous_id FROM ${graph}.entity) AS neighbours WHERE id <= previous_id`,
          readsRowOrder: true,
        },
      ],
    },
    numbered('Entities', 'entity', 'gaps in the ids of entities'),
  ],
  event: () => [
    numbered('Events', 'event', 'gaps in the ids of events'),
    {
      holds: 'The events of an element belong to entities, all of them or none',
      violations: `SELECT CAST(event.id AS VARCHAR) AS example FROM event ANTI JOIN entity ON entity.id = event.entity_id WHERE event.entity_id IS NOT NULL
      UNION ALL SELECT element FROM event GROUP BY element HAVING count(entity_id) NOT IN (0, count(*))`,
      atImport: [
        {
          ...leadsTo('events of an entity that does not exist', 'event', 'entity_id', 'entity'),
          of: 'events with entity',
        },
        {
          counts: 'events of an entity that does not exist',
          sql: (graph) =>
            `SELECT count(*) FROM ${graph}.event WHERE entity_id NOT BETWEEN 1 AND (SELECT count(*) FROM ${graph}.entity)`,
          of: 'events without entity',
        },
      ],
    },
    {
      holds: 'Events are numbered in the order of time',
      violations: `SELECT id AS example FROM (SELECT id, time < lag(time) OVER (ORDER BY id) AS early FROM event) WHERE early`,
      atImport: [
        {
          counts: 'events out of order',
          sql: (graph) =>
            `SELECT count(*) FROM (SELECT id, time, lag(id) OVER () AS previous_id, lag(time) OVER () AS earlier FROM ${graph}.event) AS neighbours
        WHERE id <> previous_id + 1 OR time < earlier`,
          readsRowOrder: true,
        },
      ],
    },
    {
      holds: 'Every event has an activity, a time and a lifecycle',
      violations: `SELECT id AS example FROM event WHERE activity IS NULL OR time IS NULL OR lifecycle IS NULL OR lifecycle NOT IN (${lifecycles.map((name) => `'${name}'`).join(', ')})`,
      atImport: [],
    },
  ],
  event_entity: () => [
    {
      holds: 'Every event is correlated with its own entity, once',
      violations: `SELECT id AS example FROM event
      LEFT JOIN event_entity AS own ON own.event_id = id AND own.entity_id = event.entity_id
      WHERE event.entity_id IS NOT NULL GROUP BY id HAVING count(own.qualifier) <> 1 OR any_value(own.qualifier) <> 'self'`,
      atImport: [],
    },
    {
      holds: 'No event is correlated with another entity as its own',
      violations: `SELECT event_id || ' with ' || own.entity_id AS example FROM event_entity AS own JOIN event ON event.id = event_id
      WHERE qualifier = 'self' AND own.entity_id IS DISTINCT FROM event.entity_id`,
      atImport: [],
    },
    {
      holds: 'No correlation is there twice',
      violations: `SELECT event_id || ' with ' || entity_id || ', ' || qualifier AS example FROM event_entity
      GROUP BY event_id, entity_id, qualifier HAVING count(*) > 1`,
      atImport: [],
    },
    {
      holds: 'Correlations lead to events and entities that exist',
      violations: `SELECT event_id || ' with ' || entity_id AS example FROM event_entity ANTI JOIN event ON event.id = event_id
      UNION ALL SELECT event_id || ' with ' || entity_id FROM event_entity ANTI JOIN entity ON entity.id = entity_id`,
      atImport: [
        leadsTo('correlations without event', 'event_entity', 'event_id', 'event'),
        leadsTo('correlations without entity', 'event_entity', 'entity_id', 'entity'),
      ],
    },
    {
      holds: 'Correlations with other entities follow from a relation, or from a row correlation of the element',
      violations: `SELECT event_id || ' with ' || other.entity_id || ', ' || qualifier AS example
      FROM event_entity AS other JOIN event ON event.id = event_id
      ANTI JOIN (SELECT relationship, source_entity_id AS one, target_entity_id AS two FROM relation
        UNION SELECT relationship, target_entity_id, source_entity_id FROM relation) AS pair
        ON pair.relationship = qualifier AND pair.one = event.entity_id AND pair.two = other.entity_id
      ANTI JOIN (SELECT named.element, named.qualifier, entity.id FROM (${namedByRows}) AS named JOIN entity ON entity.entity_type = named.entity_type) AS named
        ON named.element = event.element AND named.qualifier = other.qualifier AND named.id = other.entity_id
      WHERE other.qualifier <> 'self'`,
      atImport: [],
    },
  ],
  service_time: () => [
    {
      holds: 'Every end has one start of its activity and entity before it, and its service time is the time between',
      violations: `SELECT 'end ' || coalesce(end_event_id, ended.id) AS example
      FROM service_time FULL JOIN (${ends}) AS ended ON ended.id = end_event_id
        LEFT JOIN event AS later ON later.id = end_event_id LEFT JOIN event AS earlier ON earlier.id = start_event_id
      WHERE ended.id IS NULL OR earlier.lifecycle IS DISTINCT FROM 'start' OR later.id <= earlier.id OR later.element <> earlier.element
        OR later.activity <> earlier.activity OR later.entity_id IS DISTINCT FROM earlier.entity_id
        OR abs(milliseconds - ${millisecondsSql('earlier.time', 'later.time')}) > 1e-3
      UNION ALL SELECT 'start ' || start_event_id FROM service_time GROUP BY start_event_id HAVING count(*) > 1
      UNION ALL SELECT 'end ' || end_event_id FROM service_time GROUP BY end_event_id HAVING count(*) > 1`,
      atImport: [],
    },
  ],
  relation: () => [
    {
      holds: 'Relations lead to existing entities, and none is duplicated',
      violations: `SELECT source_entity_id || ' to ' || target_entity_id AS example FROM relation ANTI JOIN entity ON entity.id = source_entity_id
      UNION ALL SELECT source_entity_id || ' to ' || target_entity_id FROM relation ANTI JOIN entity ON entity.id = target_entity_id
      UNION ALL SELECT relationship || ', ' || source_entity_id || ' to ' || target_entity_id FROM relation
        GROUP BY relationship, source_entity_id, target_entity_id HAVING count(*) > 1`,
      atImport: [
        leadsTo('relations without their source', 'relation', 'source_entity_id', 'entity'),
        leadsTo('relations without their target', 'relation', 'target_entity_id', 'entity'),
      ],
    },
  ],
  directly_follows: () => [
    {
      holds:
        'Directly-follows edges link the neighbours among the distinct events of each entity that are no ends, and nothing else',
      violations: `WITH expected AS (
        SELECT entity_id, source_event_id, event_id AS target_event_id FROM (
          SELECT entity_id, event_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id
          FROM (SELECT DISTINCT entity_id, event_id FROM event_entity ANTI JOIN (${ends}) AS ended ON ended.id = event_id)
        ) WHERE source_event_id IS NOT NULL
      )
      SELECT 'missing for entity ' || entity_id || ': ' || source_event_id || ' to ' || target_event_id AS example
      FROM (FROM expected EXCEPT ALL SELECT entity_id, source_event_id, target_event_id FROM directly_follows)
      UNION ALL SELECT 'wrong for entity ' || entity_id || ': ' || source_event_id || ' to ' || target_event_id
      FROM (SELECT entity_id, source_event_id, target_event_id FROM directly_follows EXCEPT ALL FROM expected)`,
      atImport: [
        {
          counts: 'directly-follows edges that do not lead forward',
          sql: (graph) => `SELECT count(*) FROM ${graph}.directly_follows WHERE target_event_id <= source_event_id`,
        },
      ],
    },
  ],
  ...processMapInvariants,
  rule: () => [
    {
      holds: 'The numbers of each rule are those of its violations',
      violations: `SELECT rule.name AS example FROM rule LEFT JOIN (
        SELECT rule, count(DISTINCT coalesce(event_id, entity_id)) AS broken FROM rule_violation GROUP BY rule
      ) AS found ON found.rule = rule.number
      WHERE rule.broken <> coalesce(found.broken, 0) OR rule.kept + rule.broken + rule.pending + rule.undecided <> rule.concerned OR rule.concerned > rule.judged
      UNION ALL SELECT 'rule ' || rule FROM rule_violation ANTI JOIN rule ON rule.number = rule_violation.rule`,
      atImport: [],
    },
  ],
  rule_violation: () => [
    {
      holds: 'Violations are of entities and events of the graph',
      violations: `SELECT 'entity ' || entity_id AS example FROM rule_violation ANTI JOIN entity ON entity.id = entity_id WHERE entity_id IS NOT NULL
      UNION ALL SELECT 'event ' || event_id FROM rule_violation ANTI JOIN event ON event.id = event_id WHERE event_id IS NOT NULL
      UNION ALL SELECT 'rule ' || rule FROM rule_violation WHERE entity_id IS NULL AND event_id IS NULL`,
      atImport: [],
    },
  ],
  measure: () => [
    {
      holds: 'The numbers of each measure of the file are those of its values',
      violations: `SELECT measure.name AS example FROM measure LEFT JOIN (
        SELECT measure, count(value) AS count, count(*) - count(value) AS missing, min(value) AS min, max(value) AS max, sum(value) AS sum,
          quantile_cont(value, 0.5) AS median, quantile_cont(value, 0.9) AS p90
        FROM measure_value GROUP BY measure
      ) AS found ON found.measure = measure.number
      WHERE NOT is_default AND error IS NULL AND (measure.count <> coalesce(found.count, 0) OR measure.missing <> coalesce(found.missing, 0) OR ${[
        'min',
        'max',
        'sum',
        'median',
        'p90',
      ]
        .map(
          (name) =>
            `NOT coalesce(${isNear(`measure.${name}`, `found.${name}`)}, measure.${name} IS NOT DISTINCT FROM found.${name})`,
        )
        .join(' OR ')})
      UNION ALL SELECT 'measure ' || measure FROM measure_value ANTI JOIN measure ON measure.number = measure_value.measure`,
      atImport: [],
    },
  ],
  measure_value: () => [
    {
      holds: 'Values of measures are of entities and events of the graph, one of each',
      violations: `SELECT 'entity ' || entity_id AS example FROM measure_value ANTI JOIN entity ON entity.id = entity_id WHERE entity_id IS NOT NULL
      UNION ALL SELECT 'event ' || event_id FROM measure_value ANTI JOIN event ON event.id = event_id WHERE event_id IS NOT NULL
      UNION ALL SELECT 'measure ' || measure FROM measure_value WHERE entity_id IS NULL AND event_id IS NULL
      UNION ALL SELECT 'measure ' || measure || ', entity ' || coalesce(entity_id, 0) || ', event ' || coalesce(event_id, 0) FROM measure_value GROUP BY measure, entity_id, event_id HAVING count(*) > 1`,
      atImport: [],
    },
  ],
  'entity_properties_<n>': (table) => [
    {
      holds: `${table} has one row for each of its entities, all of one type`,
      violations: `SELECT 'entity ' || entity_id AS example FROM ${table} GROUP BY entity_id HAVING count(*) > 1
      UNION ALL SELECT 'entity ' || coalesce(CAST(entity_id AS VARCHAR), 'missing') FROM ${table} ANTI JOIN entity ON entity.id = entity_id
      UNION ALL SELECT 'types ' || string_agg(DISTINCT entity_type, ', ') FROM ${table} JOIN entity ON entity.id = entity_id HAVING count(DISTINCT entity_type) > 1`,
      atImport: [],
    },
  ],
  'entity_values_<n>': (table) => [
    {
      holds: `${table} ranks the values of each entity in the order of time, and its entities are of one type`,
      violations: `SELECT 'entity ' || entity_id || ', ' || coalesce(CAST(value_time AS VARCHAR), 'from the start') AS example
      FROM (SELECT *, row_number() OVER (PARTITION BY entity_id ORDER BY value_time NULLS FIRST, value_rank) AS expected FROM ${table}) WHERE value_rank IS DISTINCT FROM expected
      UNION ALL SELECT 'entity ' || coalesce(CAST(entity_id AS VARCHAR), 'missing') FROM ${table} ANTI JOIN entity ON entity.id = entity_id
      UNION ALL SELECT 'types ' || string_agg(DISTINCT entity_type, ', ') FROM ${table} JOIN entity ON entity.id = entity_id HAVING count(DISTINCT entity_type) > 1`,
      atImport: [],
    },
    {
      holds: `The entities of ${table} are those of their properties`,
      violations: `SELECT 'entity ' || coalesce(held.entity_id, own.entity_id) AS example
      FROM (SELECT DISTINCT entity_id FROM ${table}) AS held FULL JOIN ${table.replace('entity_values', 'entity_properties')} AS own ON own.entity_id = held.entity_id
      WHERE held.entity_id IS NULL OR own.entity_id IS NULL`,
      atImport: [],
    },
  ],
  // The events of a property table determine its element.
  'properties_<n>': (table) => [
    {
      holds: `${table} has one row for each event of one element`,
      violations: `WITH held AS (SELECT event_id, count(*) AS n FROM ${table} GROUP BY 1),
        own AS (SELECT DISTINCT element FROM event JOIN held ON held.event_id = event.id)
      SELECT 'event ' || coalesce(event_id, id) AS example FROM held
        FULL JOIN (SELECT id FROM event WHERE element IN (FROM own)) AS expected ON expected.id = held.event_id
        WHERE n IS DISTINCT FROM 1 OR id IS NULL
      UNION ALL SELECT 'elements ' || string_agg(element, ', ') FROM own HAVING count(*) > 1`,
      atImport: [],
    },
  ],
};

/** The invariants of a store as a whole. */
const storeInvariants: readonly Invariant[] = [
  {
    holds: 'The store has one run record of a known format',
    violations: `SELECT 'format ' || coalesce(CAST(max(format_version) AS VARCHAR), 'unknown') || ', ' || count(*) || ' records' AS example
      FROM run HAVING count(*) <> 1 OR max(format_version) <> ${storeVersion}`,
    atImport: [],
  },
  {
    holds: 'The tables have as many rows as the run record says',
    violations: Object.entries(countedTables)
      .map(([name, table]) => {
        const said = `CAST(counts->>'$.totals.${name}' AS BIGINT)`;
        return `SELECT '${table}: ' || n || ' rows, ' || ${said} || ' recorded' AS example
          FROM run, (SELECT count(*) AS n FROM ${table}) WHERE n IS DISTINCT FROM ${said}`;
      })
      .join(' UNION ALL '),
    atImport: [],
  },
  {
    holds: 'The usual views are there',
    violations: `SELECT name AS example FROM (VALUES ${[...Object.keys(graphViews), entityEventView]
      .map((view) => `('${view}')`)
      .join(', ')}) AS wanted(name)
      WHERE name NOT IN (SELECT view_name FROM duckdb_views())`,
    atImport: [],
  },
];

/** All invariants of a store with these tables. */
export function invariantsOf(tables: readonly NamedTable[]): readonly Invariant[] {
  const own = Object.entries(tableInvariants).flatMap(([schema, of]) =>
    tables.filter((table) => table.schema === schema).flatMap(({ name }) => of(name)),
  );
  return [...storeInvariants, ...own];
}

/** Ids are ranks: without gaps, every number within the range is an id. */
function numbered(subject: string, table: string, counts: string): Invariant {
  return {
    holds: `${subject} are numbered from 1 without gap`,
    violations: `SELECT '${subject.toLowerCase()} ' || min(id) || ' to ' || max(id) || ', ' || count(DISTINCT id) || ' different of ' || count(*) AS example FROM ${table}
      HAVING min(id) <> 1 OR max(id) <> count(*) OR count(DISTINCT id) <> count(*)`,
    atImport: [
      {
        counts,
        sql: (graph, wide) =>
          `SELECT CASE WHEN count(*) = 0 OR (min(id) = 1 AND max(id) = count(*) AND 2 * sum(${wide('id')}) = ${wide('count(*)')} * (count(*) + 1)) THEN 0 ELSE 1 END FROM ${graph}.${table}`,
      },
    ],
  };
}

/** Sums of floating-point numbers depend on their order. */
function isNear(one: string, other: string): string {
  return `abs(${one} - ${other}) <= 1e-9 * greatest(abs(${one}), abs(${other}), 1)`;
}

/** Counts rows whose id exceeds the row count of another table with gapless ids. */
function leadsTo(counts: string, from: string, column: string, to: string): ImportCount {
  return {
    counts,
    sql: (graph) =>
      `SELECT count(*) FROM ${graph}.${from} WHERE ${column} IS NULL OR ${column} NOT BETWEEN 1 AND (SELECT count(*) FROM ${graph}.${to})`,
  };
}
