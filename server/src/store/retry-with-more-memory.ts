import { isOutOfMemory } from './duckdb-errors.ts';
import type { DuckDbSession } from './duckdb-session.ts';

/** A session whose memory limit rises only when a statement needs it. */
interface RetryingSession extends DuckDbSession {
  /**
   * Works with a lower limit. A statement that runs out of memory is run again with the previous limit, which then
   * stays.
   */
  withMemory<T>(limit: string, work: () => Promise<T>): Promise<T>;
}

/**
 * Runs a session with the first of these limits (DuckDB notation). A statement that runs out of memory is run again
 * with the next limit, which then stays. DuckDB rolls back failed statements.
 */
export function retryWithMoreMemory(session: DuckDbSession, limits: readonly [string, ...string[]]): RetryingSession {
  let rung = 0;
  /** Number of increases: a failed statement may have been queued before one. */
  let times = 0;
  let lowered: string | undefined;

  const setLimit = (limit: string): Promise<unknown> => session.run(setLimitSql(limit));
  // The limits are tracked here, because DuckDB reports them rounded, and RESET only affects the setting.
  const own = (): string => limits[rung] ?? limits[0];

  async function takeMore(): Promise<boolean> {
    if (lowered === undefined && rung + 1 >= limits.length) return false;
    times += 1;
    if (lowered === undefined) rung += 1;
    lowered = undefined;
    await setLimit(own());
    return true;
  }

  async function orWithMore<T>(statement: () => Promise<T>): Promise<T> {
    const given = times;
    try {
      return await statement();
    } catch (error) {
      if (!isOutOfMemory(error) || (given === times && !(await takeMore()))) throw error;
      return orWithMore(statement);
    }
  }

  return {
    ...session,
    run(sql, options) {
      const run = () => session.run(sql, options);
      return options?.isWithinMemory === true ? run() : orWithMore(run);
    },
    query: (sql, options) => orWithMore(() => session.query(sql, options)),
    table: (sql, options) => orWithMore(() => session.table(sql, options)),
    firstRows: (sql, limit, options) => orWithMore(() => session.firstRows(sql, limit, options)),
    async withMemory(limit, work) {
      // Data in memory may exceed the lower limit.
      await setLimit(limit).then(
        () => (lowered = limit),
        () => undefined,
      );
      try {
        return await work();
      } finally {
        lowered = undefined;
        // The database may have been closed meanwhile.
        await setLimit(own()).catch(() => undefined);
      }
    },
  };
}

export function setLimitSql(limit: string): string {
  return `SET memory_limit = '${limit}'`;
}
