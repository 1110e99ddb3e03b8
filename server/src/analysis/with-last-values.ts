import { lastValuesSql, propertiesOfType } from './entity-properties.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { judgedGraphTables } from '../process-rules/judged-graph-tables.ts';
import { judgedColumn } from '../rule-kinds/property-values-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

const { identifiers } = duckdb;

/** The columns of a list of entities, in the place of which no property stands. */
const ownColumns = ['entity_id', 'entity_type', 'key', 'events', 'first', 'last', 'throughput'].map(identifiers.key);

/** SQL of a list of entities (`NumberSql`), with the last known values of the properties that those of their types have. */
export async function withLastValues(store: StoreReader, entities: string, options: StatementOptions): Promise<string> {
  const graph = await judgedGraphTables(store, options);
  const types = await store.query(`SELECT DISTINCT entity_type AS type FROM (\n${entities}\n) ORDER BY type`, options);
  const found: string[] = [];
  for (const { type } of types) found.push(...(await propertiesOfType(store, String(type), graph, options)));
  const byKey = new Map(found.map((name) => [identifiers.key(name), name]));
  for (const own of ownColumns) byKey.delete(own);
  const properties = [...byKey.values()];
  if (properties.length === 0) return entities;
  return `WITH listed AS MATERIALIZED (
${entities}
), subject AS (SELECT entity_id AS judged FROM listed)
SELECT listed.*, ${properties.map((name) => `value.${identifiers.quote(name)}`).join(', ')}
FROM listed LEFT JOIN (
${lastValuesSql(graph, properties, 'subject')}
) AS value ON value.${judgedColumn} = listed.entity_id
ORDER BY listed.entity_id`;
}
