import { quoteLiteral } from '../../query/quote.ts';
import { isOutOfMemory } from '../../store/duckdb-store.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';

/**
 * What DuckDB may keep in memory while records are read: they go to disk one behind the other, and what it kept of them would only grow
 * with their number.
 */
export const readingLimit = '40MB';

/**
 * Works on a database that keeps little in memory meanwhile, where it has a limit of its own to go back to: what RESET puts back counts for the
 * setting only, not for what is allocated. A statement that cannot be run like that, as of a very large record, is run
 * again with the database's own limit, and so is all behind it.
 */
export async function withLittleMemory<T>(
  database: StagingDatabase,
  work: (limited: StagingDatabase) => Promise<T>,
): Promise<T> {
  const { memoryLimit } = database;
  if (memoryLimit === undefined) return work(database);
  // What DuckDB says of its limit is rounded down: set again and again, it would shrink.
  const restore = (): Promise<unknown> => database.run(setLimitSql(memoryLimit));
  // What is in memory already may not fit.
  let isLimited = await database.run(setLimitSql(readingLimit)).then(
    () => true,
    () => false,
  );
  const orWithMore = async <R>(statement: () => Promise<R>): Promise<R> => {
    // Statements run one behind the other: one that fails later may have been given while there was the limit.
    const wasLimited = isLimited;
    try {
      return await statement();
    } catch (error) {
      if (!wasLimited || !isOutOfMemory(error)) throw error;
      if (isLimited) {
        isLimited = false;
        await restore();
      }
      return statement();
    }
  };
  try {
    return await work({
      ...database,
      run: (sql, options) => orWithMore(() => database.run(sql, options)),
      query: (sql, options) => orWithMore(() => database.query(sql, options)),
    });
  } finally {
    // A database that was closed meanwhile has no limit any more.
    await restore().catch(() => undefined);
  }
}

export function setLimitSql(limit: string): string {
  return `SET memory_limit = ${quoteLiteral(limit, 'duckdb')}`;
}
