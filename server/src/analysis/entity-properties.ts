import { duckdb } from '../dialects/duckdb.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { propertyValuesSql } from '../rule-kinds/property-values-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

const { identifiers } = duckdb;

/**
 * A SELECT of the last known values of properties of entities: `judgedColumn` and a column each.
 * @param judged table with `judged`, their ids: values of other entities are not read
 */
export function lastValuesSql(graph: JudgedGraphTables, properties: readonly string[], judged: string): string {
  const isMeant = `entity_id IN (SELECT judged FROM ${judged})`;
  const ofEntities = new Set(graph.properties.flatMap(({ name, isOfEvents }) => (isOfEvents ? [] : [name])));
  const table = (name: string): string => {
    if (name === 'event') return `(SELECT * FROM event WHERE ${isMeant}) AS event`;
    return ofEntities.has(name) ? `(SELECT * FROM ${name} WHERE ${isMeant})` : graph.table(name);
  };
  const sql = properties.map((name) => identifiers.quote(name)).join(', ');
  return propertyValuesSql({ ...graph, table }, { of: 'entity', judged, sql });
}

/** The properties that entities of a type can have, in the order of their tables. */
export async function propertiesOfType(
  store: StoreReader,
  entityType: string,
  graph: JudgedGraphTables,
  options: StatementOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, isOfEvents, properties } of graph.properties) {
    // All events of an element are of entities of one type. The first ones nearly always have an entity.
    const sources = isOfEvents
      ? [`(SELECT event_id FROM ${name} LIMIT 100)`, name].map(
          (rows) =>
            `SELECT v.entity_id FROM event AS v WHERE v.entity_id IS NOT NULL AND v.id IN (SELECT event_id FROM ${rows} AS p)`,
        )
      : [`SELECT entity_id FROM ${name}`];
    if ((await firstType(store, sources, options)) === entityType) found.push(...properties);
  }
  return [...new Set(found)];
}

/** The type of the first entity that a source has. */
async function firstType(
  store: StoreReader,
  sources: readonly string[],
  options: StatementOptions,
): Promise<string | undefined> {
  for (const source of sources) {
    const [row] = await store.query(
      `SELECT entity_type AS type FROM entity WHERE id = (SELECT entity_id FROM (${source}) AS found LIMIT 1)`,
      options,
    );
    if (row) return String(row['type']);
  }
  return undefined;
}
