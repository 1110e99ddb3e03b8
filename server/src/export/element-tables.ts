import type { StoreReader } from '../store/duckdb-store.ts';

/** The table with the properties of an element. */
export interface ElementTable {
  readonly activityName: string;
  readonly table: string;
  readonly properties: readonly { readonly name: string; readonly ocelType: OcelType }[];
}

/** The types that OCEL 2.0 knows. */
export type OcelType = 'string' | 'integer' | 'float' | 'boolean' | 'time';

/** The elements of a graph in the order of the file. */
export async function elementTables(store: StoreReader): Promise<readonly ElementTable[]> {
  const [run] = await store.query(`SELECT counts->>'$.elements[*].activityName' AS names FROM run`);
  const names = JSON.parse(String(run?.['names'] ?? '[]')) as readonly string[];
  const columns = await store.query(
    `SELECT table_name, column_name, data_type FROM duckdb_columns()
     WHERE table_name LIKE 'properties\\_%' ESCAPE '\\' AND column_name <> 'event_id' ORDER BY table_name, column_index`,
  );
  return names.map((activityName, index) => {
    const table = `properties_${index + 1}`;
    const own = columns.filter((column) => column['table_name'] === table);
    return {
      activityName,
      table,
      properties: own.map((column) => ({
        name: String(column['column_name']),
        ocelType: ocelType(String(column['data_type'])),
      })),
    };
  });
}

function ocelType(type: string): OcelType {
  if (/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type)) return 'integer';
  if (/^(DECIMAL|DOUBLE|FLOAT)/.test(type)) return 'float';
  if (type === 'BOOLEAN') return 'boolean';
  return /^(TIMESTAMP|DATE)/.test(type) ? 'time' : 'string';
}
