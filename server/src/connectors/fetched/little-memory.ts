import type { StagingDatabase } from '../../store/staging-database.ts';

/**
 * What DuckDB may keep in memory while records are read: they go to disk one behind the other, and what it kept of them would only grow
 * with their number.
 */
export const readingLimit = '40MB';

/** Works on a database that keeps little in memory meanwhile, where it has limits of its own to go back to. */
export async function withLittleMemory<T>(
  database: StagingDatabase,
  work: (limited: StagingDatabase) => Promise<T>,
): Promise<T> {
  return database.withMemory ? database.withMemory(readingLimit, () => work(database)) : work(database);
}
