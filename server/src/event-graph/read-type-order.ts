import { entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { EntityElement, EntitySource } from '../model/entity-graph.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** All entity types of a graph in the order of their first appearance in its text. */
export async function readTypeOrder(store: StoreReader, options: StatementOptions): Promise<readonly string[]> {
  const [run] = await store.query("SELECT counts->'entityTypes' AS types FROM run", options);
  const rows = await store.query('SELECT entity_type AS type FROM entity GROUP BY 1 ORDER BY min(id)', options);
  const kept = run?.['types'];
  const named = typeof kept === 'string' ? (JSON.parse(kept) as string[]) : await typesOfText(store, options);
  return [...new Set([...named, ...rows.map((row) => String(row['type']))])];
}

/** Graphs of earlier versions store the text only. Parsing it takes a quarter of the time of drawing a map. */
async function typesOfText(store: StoreReader, options: StatementOptions): Promise<readonly string[]> {
  const [run] = await store.query('SELECT config FROM run', options);
  const { elements, entities } = parseEntityGraph(String(run?.['config'] ?? '')).graph;
  return entityTypesInOrder(elements.map(namesOf), entities.map(namesOf));
}

function namesOf(entry: EntitySource & Partial<Pick<EntityElement, 'ownEntity' | 'correlatesWith'>>) {
  return {
    entityType: entry.entityType?.value,
    dataObject: entry.dataObject?.value,
    ownEntity: entry.ownEntity?.value,
    correlatesWith: entry.correlatesWith?.map(({ entityType }) => ({ entityType: entityType?.value })),
  };
}
