import type { StagingDatabase } from '../../store/staging-database.ts';

export const singleThreadSql = 'SET threads = 1';
export const allThreadsSql = 'RESET threads';

/** Works with one database thread: it is faster than any instance, and more threads would slow down fetching. */
export async function withSingleThread<T>(database: Pick<StagingDatabase, 'run'>, work: () => Promise<T>): Promise<T> {
  await database.run(singleThreadSql);
  try {
    return await work();
  } finally {
    // The database may have been closed meanwhile.
    await database.run(allThreadsSql).catch(() => undefined);
  }
}
