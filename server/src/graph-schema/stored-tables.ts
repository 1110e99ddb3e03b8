import type { EntryList } from './graph-schema.ts';
import { type NamedTable, entryOf, namedTables, tableRows } from './table-names.ts';

/** A store that can be queried. */
export interface RequestedStore {
  query(
    sql: string,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Readonly<Record<string, unknown>>[]>;
}

/** The tables of a store in schema order: the mandatory ones and the existing optional ones. */
export async function storedTables(
  store: RequestedStore,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly NamedTable[]> {
  const rows = await store.query('SELECT table_name AS name FROM duckdb_tables() WHERE NOT temporary', options);
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
