import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** All entity types of a graph: those of its text in the order of their first appearance, then the others. */
export async function readTypeOrder(store: StoreReader, options: StatementOptions): Promise<readonly string[]> {
  const [run] = await store.query("SELECT counts->'entityTypes' AS types FROM run", options);
  const rows = await store.query('SELECT entity_type AS type FROM entity GROUP BY 1 ORDER BY min(id)', options);
  const kept: unknown = JSON.parse(String(run?.['types'] ?? null));
  const named = Array.isArray(kept) ? kept.map(String) : [];
  return [...new Set([...named, ...rows.map((row) => String(row['type']))])];
}
