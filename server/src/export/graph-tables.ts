import type { StoreReader } from '../store/duckdb-store.ts';

/** A table of a store, and the order in which it is written so that equal graphs give equal files. */
export interface GraphTable {
  readonly name: string;
  readonly orderBy: string;
}

const fixedTables: readonly GraphTable[] = [
  { name: 'entity', orderBy: 'id' },
  { name: 'event', orderBy: 'id' },
  { name: 'event_entity', orderBy: 'event_id, entity_id, qualifier' },
  { name: 'relation', orderBy: 'relationship, source_entity_id, target_entity_id' },
  { name: 'directly_follows', orderBy: 'entity_id, source_event_id' },
];

/** The tables of a graph, `run` left out: it tells how the graph was made, and differs each time. */
export async function graphTables(store: StoreReader): Promise<readonly GraphTable[]> {
  const rows =
    await store.query(`SELECT table_name AS name FROM duckdb_tables() WHERE table_name LIKE 'properties\\_%' ESCAPE '\\'
    ORDER BY CAST(substr(table_name, 12) AS INTEGER)`);
  return [...fixedTables, ...rows.map((row) => ({ name: String(row['name']), orderBy: 'event_id' }))];
}
