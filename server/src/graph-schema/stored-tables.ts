import { type NamedTable, elementOf, namedTables, tableRows } from './table-names.ts';

/** A store that can be queried. */
export interface AskedStore {
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The tables of a store in schema order: the mandatory ones and the existing optional ones. */
export async function storedTables(
  store: AskedStore,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly NamedTable[]> {
  const rows = await store.query('SELECT table_name AS name FROM duckdb_tables() WHERE NOT temporary', options);
  const found = new Set(rows.map(({ name }) => String(name)));
  const elements = tableRows
    .filter(({ table }) => table.isPerElement)
    .flatMap(({ schema }) => [...found].flatMap((name) => elementOf(schema, name) ?? []));
  const numbers = [...new Set(elements)].sort((one, other) => one - other);
  return namedTables(numbers).filter(({ name, table }) => table.isInEveryStore || found.has(name));
}
