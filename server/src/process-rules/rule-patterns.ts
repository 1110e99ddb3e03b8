import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** How often an activity occurs in the entities of a type. */
interface ActivityPattern {
  readonly entityType: string;
  readonly activity: string;
  /** Entities with the activity, and with exactly one event of it. */
  readonly entities: number;
  readonly once: number;
}

/** Two activities within entities of a type. */
export interface OrderPattern {
  readonly entityType: string;
  readonly first: string;
  readonly second: string;
  /** Entities in which the last event of the first one has one of the second after it. */
  readonly responds: number;
  /** Entities in which the first event of the second one has one of the first before it. */
  readonly precedes: number;
}

/** How many entities a relationship relates to each entity of a type. */
interface RelationPattern {
  readonly entityType: string;
  readonly relationship: string;
  readonly direction: 'source' | 'target';
  /** Whether both ends are of this type. */
  readonly isSelf: boolean;
  /** Entities with some, and with exactly one. */
  readonly entities: number;
  readonly one: number;
}

export interface Patterns {
  /** Entities of each type. */
  readonly totals: ReadonlyMap<string, number>;
  readonly activities: readonly ActivityPattern[];
  readonly orders: readonly OrderPattern[];
  readonly relations: readonly RelationPattern[];
}

/** Pairs grow with the square of it. */
const activitiesOfType = 30;

/** The places of the most frequent activities in each entity. */
const places = `activity_of AS (
  SELECT entity.entity_type, event_entity.entity_id, event.activity, min(event.id) AS first, max(event.id) AS last, count(DISTINCT event.id) AS events
  FROM event_entity JOIN event ON event.id = event_entity.event_id AND event.lifecycle = 'start' JOIN entity ON entity.id = event_entity.entity_id
  GROUP BY ALL
), frequent AS (
  SELECT entity_type, activity FROM activity_of GROUP BY entity_type, activity
  QUALIFY row_number() OVER (PARTITION BY entity_type ORDER BY count(*) DESC, activity) <= ${activitiesOfType}
), place AS MATERIALIZED (
  SELECT activity_of.* FROM activity_of JOIN frequent USING (entity_type, activity)
)`;

/** Counts patterns of a stored graph that may be rules. Rejects like the store. */
export async function readPatterns(store: StoreReader, options: StatementOptions): Promise<Patterns> {
  const totals = await store.query('SELECT entity_type, count(*) AS n FROM entity GROUP BY 1', options);
  const activities = await store.query(
    `WITH ${places} SELECT entity_type, activity, count(*) AS entities, count(*) FILTER (events = 1) AS once FROM place GROUP BY ALL ORDER BY ALL`,
    options,
  );
  const orders = await store.query(
    `WITH ${places} SELECT one.entity_type, one.activity AS first, other.activity AS second,
       count(*) FILTER (other.last > one.last) AS responds, count(*) FILTER (one.first < other.first) AS precedes
     FROM place AS one JOIN place AS other ON other.entity_id = one.entity_id AND other.activity <> one.activity
     GROUP BY ALL ORDER BY ALL`,
    options,
  );
  const relations = await store.query(
    `WITH side AS (
       SELECT relationship, source_entity_id AS entity_id, target_entity_id AS other_id, 'source' AS direction FROM relation
       UNION ALL SELECT relationship, target_entity_id, source_entity_id, 'target' FROM relation
     ), counted AS (
       SELECT relationship, direction, entity_id, count(DISTINCT other_id) AS number, min(other_id) AS other_id FROM side GROUP BY ALL
     )
     SELECT entity.entity_type, relationship, direction, bool_or(other.entity_type = entity.entity_type) AS is_self,
       count(*) AS entities, count(*) FILTER (number = 1) AS one
     FROM counted JOIN entity ON entity.id = counted.entity_id JOIN entity AS other ON other.id = counted.other_id
     GROUP BY entity.entity_type, relationship, direction ORDER BY ALL`,
    options,
  );
  return {
    totals: new Map(totals.map((row) => [String(row['entity_type']), Number(row['n'])])),
    activities: activities.map((row) => ({
      entityType: String(row['entity_type']),
      activity: String(row['activity']),
      entities: Number(row['entities']),
      once: Number(row['once']),
    })),
    orders: orders.map((row) => ({
      entityType: String(row['entity_type']),
      first: String(row['first']),
      second: String(row['second']),
      responds: Number(row['responds']),
      precedes: Number(row['precedes']),
    })),
    relations: relations.map((row) => ({
      entityType: String(row['entity_type']),
      relationship: String(row['relationship']),
      direction: row['direction'] === 'source' ? 'source' : 'target',
      isSelf: row['is_self'] === true,
      entities: Number(row['entities']),
      one: Number(row['one']),
    })),
  };
}
