import { storedTables } from '../graph-schema/stored-tables.ts';
import type { StoreReader } from '../store/duckdb-store.ts';

/** A table of a store, with a sort order so that equal graphs give equal files. */
export interface ExportedTable {
  readonly name: string;
  readonly orderBy: string;
}

/** The exported tables of a store. */
export async function exportedTables(store: StoreReader): Promise<readonly ExportedTable[]> {
  return (await storedTables(store))
    .filter(({ table }) => table.isExported)
    .map(({ name, table }) => ({ name, orderBy: table.key.join(', ') }));
}
