import type { StagingDatabase } from '../../store/staging-database.ts';

/**
 * Memory limit of DuckDB while records are loaded: they go to disk, and cached blocks would only grow with their
 * number.
 */
export const readingLimit = '40MB';

/** Works with a lowered memory limit, if the database has limits. */
export async function withReadingMemoryLimit<T>(
  database: StagingDatabase,
  work: (limited: StagingDatabase) => Promise<T>,
): Promise<T> {
  return database.withMemory ? database.withMemory(readingLimit, () => work(database)) : work(database);
}
