import { performance } from 'node:perf_hooks';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { DuckDbSession, StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/**
 * Runs statements of the user on a read-only, sandboxed store: `SELECT`, `WITH`, `DESCRIBE`, `SUMMARIZE` and similar;
 * resolves to the first rows of the last one. Rejects with the error of the database.
 */
export async function runSql(
  store: StoreReader,
  { sql, limit }: { readonly sql: string; readonly limit: number },
  options: StatementOptions,
): Promise<TestQueryResult> {
  const start = performance.now();
  const { columns, rows, ...end } = await firstRows(store, sql, limit, options);
  return {
    columns: columns.map(({ name, type }, index) => ({
      name,
      type,
      nulls: rows.filter((row) => row[index] === null).length,
    })),
    rows,
    ...end,
    durationMs: performance.now() - start,
    warnings: [],
  };
}

/** A SELECT gets a LIMIT, which also reduces sorting; other results are read only partly. */
async function firstRows(
  store: StoreReader,
  sql: string,
  limit: number,
  options: StatementOptions,
): ReturnType<DuckDbSession['firstRows']> {
  const limited = `SELECT * FROM (\n${sql.trim().replace(/;$/, '')}\n) LIMIT ${limit + 1}`;
  const isQuery = await store.describe(limited).then(
    () => true,
    () => false,
  );
  return store.firstRowsOfScript(isQuery ? limited : sql, limit, options);
}
