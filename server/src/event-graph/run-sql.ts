import { performance } from 'node:perf_hooks';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/**
 * One statement of the user over a store that is read-only and shut in: `SELECT`, `WITH`, `DESCRIBE`, `SUMMARIZE` and the like. Rejects with
 * the error of the database.
 */
export async function runSql(
  store: StoreReader,
  { sql, limit }: { readonly sql: string; readonly limit: number },
  options: StatementOptions,
): Promise<TestQueryResult> {
  const start = performance.now();
  const statement = sql.trim().replace(/;\s*$/, '');
  const isSelect = /^(--[^\n]*\n|\s|\()*(select|with|from|values)\b/i.test(statement);
  // Only a query can be asked for fewer rows; the others answer with few by themselves.
  const { columns, rows } = await store.table(
    isSelect ? `SELECT * FROM (\n${statement}\n) LIMIT ${limit + 1}` : statement,
    options,
  );
  const shown = rows.slice(0, limit);
  return {
    columns: columns.map(({ name, type }, index) => ({
      name,
      type,
      nulls: shown.filter((row) => row[index] === null).length,
    })),
    rows: shown,
    truncated: rows.length > limit,
    durationMs: performance.now() - start,
    warnings: [],
  };
}
