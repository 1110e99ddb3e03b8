import type { EntryList } from './graph-schema.ts';
import { storageSchema } from './storage-tables.ts';
import { type NamedTable, entryOf, namedTables, tableRows } from './table-names.ts';

/** A store that can be queried. */
interface RequestedStore {
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/**
 * The names of the tables of all attached stores, and of views: `database_name`, `name`. Some tables of the schema are
 * views in stores of the embedded engine; the tables behind these are left out.
 */
export const storedNamesSql = `SELECT database_name, table_name AS name FROM duckdb_tables() WHERE NOT temporary AND schema_name <> '${storageSchema}'
  UNION ALL SELECT database_name, view_name FROM duckdb_views() WHERE NOT temporary AND NOT internal`;

/** The tables of a store in schema order: the mandatory ones and the existing optional ones. */
export async function storedTables(
  store: RequestedStore,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly NamedTable[]> {
  const rows = await store.query(`SELECT name FROM (${storedNamesSql}) AS stored`, options);
  const found = new Set(rows.map(({ name }) => String(name)));
  const numbersOf = (list: EntryList): readonly number[] => {
    const numbers = tableRows
      .filter(({ table }) => table.isPerEntryOf === list)
      .flatMap(({ schema }) => [...found].flatMap((name) => entryOf(schema, name) ?? []));
    return [...new Set(numbers)].sort((one, other) => one - other);
  };
  const entities = numbersOf('entities');
  return namedTables(numbersOf('elements'), entities, entities).filter(
    ({ name, table }) => table.isInEveryStore || found.has(name),
  );
}
