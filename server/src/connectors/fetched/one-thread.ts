import type { StagingDatabase } from '../../store/staging-database.ts';

export const oneThreadSql = 'SET threads = 1';
export const allThreadsSql = 'RESET threads';

/**
 * Works on a database that has one thread meanwhile: it is faster than any instance sends, and more of them take the processors from what
 * fetches the next records.
 */
export async function withOneThread<T>(database: Pick<StagingDatabase, 'run'>, work: () => Promise<T>): Promise<T> {
  await database.run(oneThreadSql);
  try {
    return await work();
  } finally {
    // A database that was closed meanwhile has no threads any more.
    await database.run(allThreadsSql).catch(() => undefined);
  }
}
