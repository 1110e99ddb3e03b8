import {
  entityPropertiesColumns,
  entityPropertiesTable,
  entityValuesColumns,
  entityValuesTable,
} from '../graph-schema/table-names.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import type { StoreReader } from '../store/duckdb-store.ts';
import { type ElementProperty, propertiesByTable } from './element-tables.ts';
import { quoteIdentifier } from '../query/quote.ts';

/** The table with the properties of the entities of an entry of `entities`. */
export interface MasterDataTable {
  readonly name: string;
  /** Absent when it has no entity. */
  readonly entityType?: string | undefined;
  readonly table: string;
  /** The table of its values over time, with the same properties; absent where its rows have no times. */
  readonly valuesTable?: string | undefined;
  readonly properties: readonly ElementProperty[];
}

/** The entries of `entities` of a graph in the order of the file; none in graphs of earlier imports. */
export async function masterDataTables(store: StoreReader): Promise<readonly MasterDataTable[]> {
  const [run] = await store.query(`SELECT counts->>'$.entities[*].name' AS names FROM run`);
  const names = JSON.parse(String(run?.['names'] ?? '[]')) as readonly string[];
  if (names.length === 0) return [];
  const columns = await propertiesByTable(store, entityPropertiesColumns);
  // Where there is such a table, no property is called like its other columns, see `propertyNames`.
  const columnsOfValues = await propertiesByTable(store, entityValuesColumns);
  const stored = new Set((await storedTables(store)).map(({ name: table }) => table));
  const tables: MasterDataTable[] = [];
  for (const [index, name] of names.entries()) {
    const [table, valuesTable] = [entityPropertiesTable(index + 1), entityValuesTable(index + 1)];
    const hasTimes = stored.has(valuesTable);
    const [type] = await store.query(
      `SELECT entity_type AS type FROM entity WHERE id = (SELECT min(entity_id) FROM ${quoteIdentifier(table)})`,
    );
    tables.push({
      name,
      table,
      properties: (hasTimes ? columnsOfValues : columns).get(table) ?? [],
      valuesTable: hasTimes ? valuesTable : undefined,
      entityType: type && String(type['type']),
    });
  }
  return tables;
}
