import { quoteLiteral } from '../../query/quote.ts';
import { isOutOfMemory } from '../../store/duckdb-store.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';

/**
 * What DuckDB may keep in memory while records are read: they go to disk one behind the other, and what it kept of them would only grow
 * with their number.
 */
const readingLimit = '40MB';

/**
 * Works on a database that keeps little in memory meanwhile. A statement that cannot be run like that, as of a very large record, is run
 * again with the database's own limit, and so is all behind it.
 */
export async function withLittleMemory<T>(
  database: StagingDatabase,
  work: (limited: StagingDatabase) => Promise<T>,
): Promise<T> {
  const [setting] = await database.query("SELECT current_setting('memory_limit') AS own");
  const setLimit = (limit: string): Promise<unknown> =>
    database.run(`SET memory_limit = ${quoteLiteral(limit, 'duckdb')}`);
  const restore = (): Promise<unknown> => setLimit(String(setting?.['own']));
  // What is in memory already may not fit.
  let isLimited = await setLimit(readingLimit).then(
    () => true,
    () => false,
  );
  const orWithMore = async <R>(statement: () => Promise<R>): Promise<R> => {
    try {
      return await statement();
    } catch (error) {
      if (!isLimited || !isOutOfMemory(error)) throw error;
      isLimited = false;
      await restore();
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
