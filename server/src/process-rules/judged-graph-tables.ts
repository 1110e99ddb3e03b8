import { storedTables } from '../graph-schema/stored-tables.ts';
import { entityPropertiesColumns, propertiesColumns } from '../graph-schema/table-names.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** A table of a stored graph with values of its properties. */
export interface PropertyTable {
  readonly name: string;
  /** Of events, else of entities that have none. */
  readonly isOfEvents: boolean;
  readonly properties: readonly string[];
}

/** What the statements of rules know of a stored graph. */
export interface JudgedGraphTables {
  readonly properties: readonly PropertyTable[];
  /** Whether some event is correlated with an entity that is not its own. */
  readonly hasCorrelations: boolean;
}

/** Reads it. Rejects as the store does. */
export async function judgedGraphTables(store: StoreReader, options: StatementOptions): Promise<JudgedGraphTables> {
  const [row] = await store.query(
    "SELECT EXISTS (FROM event_entity WHERE qualifier <> 'self') AS has_correlations",
    options,
  );
  return { properties: await propertyTables(store, options), hasCorrelations: row?.['has_correlations'] === true };
}

/** The property tables that have properties. */
async function propertyTables(store: StoreReader, options: StatementOptions): Promise<readonly PropertyTable[]> {
  const tables = (await storedTables(store, options)).filter(({ table }) => table.isPerEntryOf !== undefined);
  const columns = await store.query(
    'SELECT table_name AS "table", column_name AS name FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index',
    options,
  );
  return tables.flatMap(({ name, schema }) => {
    const isOfEvents = schema === 'properties_<n>';
    const fixed = isOfEvents ? propertiesColumns : entityPropertiesColumns;
    const properties = columns
      .filter((column) => column['table'] === name)
      .map((column) => String(column['name']))
      .filter((column) => !fixed.includes(column));
    return properties.length > 0 ? [{ name, isOfEvents, properties }] : [];
  });
}
