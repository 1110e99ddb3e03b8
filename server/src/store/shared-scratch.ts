import { type DuckDbDatabase, type DuckDbSession, openDatabase } from './duckdb-session.ts';

/**
 * Opens a session on an in-memory database that is shared within this process, because opening a separate database
 * takes 25 ms of processor time. Only for work that creates temporary objects, which other sessions do not see, and
 * that changes no global setting, such as a sandbox or a memory limit. Rejects with `DuckDbError`.
 */
export const openSharedScratch = shareDatabase(() =>
  // Files are read again: one that changed may have its old size and time.
  openDatabase(':memory:', { enable_external_file_cache: 'false' }),
);

/** The database is opened with the first session, and stays open. */
export function shareDatabase(open: () => Promise<DuckDbDatabase>): () => Promise<DuckDbSession> {
  let shared: Promise<DuckDbDatabase> | undefined;
  return async () => {
    const mine = (shared ??= open());
    try {
      return await (await mine).connectWithoutProgress();
    } catch {
      // After an internal error DuckDB refuses all further work on a database.
      if (shared === mine) shared = undefined;
      return (await (shared ??= open())).connectWithoutProgress();
    }
  };
}
