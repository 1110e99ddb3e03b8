import type { StoreReader } from '../../server/src/store/duckdb-store.ts';

/** The rows of a graph, as far as rules and measures without SQL need them. Times in milliseconds; ids are in order. */
export interface GraphRows {
  readonly now: number;
  readonly entities: readonly { readonly id: number; readonly type: string }[];
  readonly events: readonly EventRow[];
  /** Of an event, the entities that it is correlated with. */
  readonly members: ReadonlyMap<number, ReadonlySet<number>>;
  readonly relations: readonly { readonly name: string; readonly source: number; readonly target: number }[];
}

export interface EventRow {
  readonly id: number;
  readonly activity: string;
  readonly lifecycle: string;
  readonly time: number;
  readonly entity: number | null;
}

/** The rows of a store. */
export async function graphRows(store: StoreReader): Promise<GraphRows> {
  const [events, entities, correlations, relations, moment] = await Promise.all([
    store.query('SELECT id, activity, lifecycle, epoch_ms(time) AS time, entity_id FROM event ORDER BY id'),
    store.query('SELECT id, entity_type FROM entity ORDER BY id'),
    store.query('SELECT event_id, entity_id FROM event_entity'),
    store.query('SELECT relationship, source_entity_id, target_entity_id FROM relation'),
    store.query('SELECT epoch_ms(max(time)) AS now FROM event'),
  ]);
  const members = new Map<number, Set<number>>();
  for (const { event_id: event, entity_id: entity } of correlations)
    members.set(Number(event), (members.get(Number(event)) ?? new Set()).add(Number(entity)));
  return {
    now: Number(moment[0]?.['now']),
    entities: entities.map((row) => ({ id: Number(row['id']), type: String(row['entity_type']) })),
    events: events.map((row) => ({
      id: Number(row['id']),
      activity: String(row['activity']),
      lifecycle: String(row['lifecycle']),
      time: Number(row['time']),
      entity: row['entity_id'] === null ? null : Number(row['entity_id']),
    })),
    members,
    relations: relations.map((row) => ({
      name: String(row['relationship']),
      source: Number(row['source_entity_id']),
      target: Number(row['target_entity_id']),
    })),
  };
}
