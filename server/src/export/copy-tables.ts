import { join } from 'node:path';
import { quoteLiteral } from '../query/quote.ts';
import type { StoreReader } from '../store/duckdb-store.ts';
import { exportedTables } from './exported-tables.ts';

interface TableForm {
  readonly ending: string;
  /** Of DuckDB's COPY. */
  readonly options: string;
  /** What is selected of a table, where that is not all of it as it is. */
  readonly columnsOf?: (store: StoreReader, table: string) => Promise<string>;
}

/** Writes each table of a graph that exports have into a file of its own, `<table>.<ending>`. */
export async function copyTables(
  store: StoreReader,
  folder: string,
  { ending, options, columnsOf }: TableForm,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { name, orderBy } of await exportedTables(store)) {
    const file = `${name}.${ending}`;
    const path = quoteLiteral(join(folder, file), 'duckdb');
    const sorted = `SELECT * FROM ${name} ORDER BY ${orderBy}`;
    const query = columnsOf ? `SELECT ${await columnsOf(store, name)} FROM (${sorted})` : sorted;
    await store.run(`COPY (${query}) TO ${path} (${options})`, { signal });
    files.push(file);
  }
  return files;
}
