import { propertiesColumns, propertiesTable } from '../graph-schema/table-names.ts';
import { type ValueType, valueType } from '../graph-schema/value-type.ts';
import type { StoreReader } from '../store/duckdb-store.ts';
import { duckdb } from '../dialects/duckdb.ts';

/** The property table of an element. */
export interface ElementTable {
  readonly activityName: string;
  /** The entity type of its rows; absent without events. */
  readonly entityType?: string | undefined;
  readonly table: string;
  readonly properties: readonly ElementProperty[];
}

export interface ElementProperty {
  readonly name: string;
  readonly valueType: ValueType;
  /** Type name of DuckDB. */
  readonly storedType: string;
}

/** The elements of a graph, in file order. */
export async function elementTables(store: StoreReader): Promise<readonly ElementTable[]> {
  const [run] = await store.query(`SELECT counts->>'$.elements[*].activityName' AS names FROM run`);
  const names = JSON.parse(String(run?.['names'] ?? '[]')) as readonly string[];
  const types = await store.query(
    `SELECT element, any_value(entity_type) AS type FROM event JOIN entity ON entity.id = event.entity_id GROUP BY 1`,
  );
  const columns = await propertiesByTable(store, propertiesColumns);
  return names.map((activityName, index) => {
    const table = propertiesTable(index + 1);
    const type = types.find((row) => row['element'] === activityName)?.['type'];
    return {
      activityName,
      table,
      properties: columns.get(table) ?? [],
      entityType: type === undefined ? undefined : String(type),
    };
  });
}

/** The properties of several elements, each name once, in the order in which the elements have them; `string` where two disagree. */
export function mergedProperties(
  elements: readonly Pick<ElementTable, 'properties'>[],
): readonly Pick<ElementProperty, 'name' | 'valueType'>[] {
  const merged = new Map<string, ValueType>();
  for (const { name, valueType } of elements.flatMap(({ properties }) => properties)) {
    const known = merged.get(name);
    merged.set(name, known === undefined || known === valueType ? valueType : 'string');
  }
  return [...merged].map(([name, type]) => ({ name, valueType: type }));
}

/** The properties in the tables of a store, in their order. @param fixed columns that are none */
export async function propertiesByTable(
  store: StoreReader,
  fixed: readonly string[],
): Promise<ReadonlyMap<string, readonly ElementProperty[]>> {
  const columns = await store.query(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
     WHERE column_name NOT IN (${fixed.map(duckdb.literals.quote).join(', ')})
     -- A view may stand in front of the table (odd-values.ts).
     QUALIFY row_number() OVER (PARTITION BY table_name, column_name ORDER BY database_name = 'temp' DESC) = 1
     ORDER BY table_name, column_index`,
  );
  const found = new Map<string, ElementProperty[]>();
  for (const column of columns) {
    const [table, storedType] = [String(column['table_name']), String(column['data_type'])];
    const property = { name: String(column['column_name']), valueType: valueType(storedType), storedType };
    found.set(table, [...(found.get(table) ?? []), property]);
  }
  return found;
}
