import { join } from 'node:path';
import { storedTables } from '../graph-schema/stored-tables.ts';
import { embeddedLiteral } from '../query/quote.ts';
import type { StoreReader } from '../store/duckdb-store.ts';

interface TableForm {
  readonly ending: string;
  /** Options of DuckDB's COPY. */
  readonly options: string;
  /** The SELECT of a table, if not the whole table. */
  readonly columnsOf?: ((store: StoreReader, table: string) => Promise<string>) | undefined;
}

/** Writes each exported table of a graph to its own file, `<table>.<extension>`. */
export async function copyTables(
  store: StoreReader,
  folder: string,
  { ending, options, columnsOf }: TableForm,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { name, orderBy } of await exportedTables(store)) {
    const file = `${name}.${ending}`;
    const path = embeddedLiteral(join(folder, file));
    const sorted = `SELECT * FROM ${name} ORDER BY ${orderBy}`;
    const query = columnsOf ? `SELECT ${await columnsOf(store, name)} FROM (${sorted})` : sorted;
    await store.run(`COPY (${query}) TO ${path} (${options})`, { signal });
    files.push(file);
  }
  return files;
}

/** A table of a store, with a sort order so that equal graphs give equal files. */
interface ExportedTable {
  readonly name: string;
  readonly orderBy: string;
}

/** The exported tables of a store. */
async function exportedTables(store: StoreReader): Promise<readonly ExportedTable[]> {
  return (await storedTables(store))
    .filter(({ table }) => table.isExported)
    .map(({ name, table }) => ({ name, orderBy: table.key.join(', ') }));
}
