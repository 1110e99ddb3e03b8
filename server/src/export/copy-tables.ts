import { join } from 'node:path';
import type { StoreReader } from '../store/duckdb-store.ts';
import { graphTables } from './graph-tables.ts';

/** Writes each table of a graph into a file of its own, `<table>.<ending>`, with these options of DuckDB's COPY. */
export async function copyTables(
  store: StoreReader,
  folder: string,
  { ending, options }: { readonly ending: string; readonly options: string },
  signal: AbortSignal,
): Promise<readonly string[]> {
  const files: string[] = [];
  for (const { name, orderBy } of await graphTables(store)) {
    const file = `${name}.${ending}`;
    const path = join(folder, file).replaceAll("'", "''");
    await store.run(`COPY (SELECT * FROM ${name} ORDER BY ${orderBy}) TO '${path}' (${options})`, { signal });
    files.push(file);
  }
  return files;
}
