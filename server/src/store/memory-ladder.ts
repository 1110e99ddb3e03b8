import { isOutOfMemory } from './duckdb-errors.ts';
import type { DuckDbSession } from './duckdb-session.ts';

/** A session that takes more memory only when a statement cannot be run with what it has. */
export interface LadderedSession extends DuckDbSession {
  /**
   * Works with less memory meanwhile. A statement that cannot be run with so little is run again with what was there before, and so is all
   * behind it.
   */
  withMemory<T>(limit: string, work: () => Promise<T>): Promise<T>;
}

/**
 * A session was opened with the first of these limits, as DuckDB writes them; a statement that fails for want of memory is run again
 * with the next one, and so is all behind it. DuckDB undoes what a failed statement did.
 */
export function withMemoryLadder(session: DuckDbSession, limits: readonly [string, ...string[]]): LadderedSession {
  let rung = 0;
  /** Counts how often there was more: statements run one behind the other, and one that fails may have been given before. */
  let times = 0;
  let lowered: string | undefined;

  const setLimit = (limit: string): Promise<unknown> => session.run(setLimitSql(limit));
  // What DuckDB says of its limit is rounded down, and what RESET puts back counts for the setting only: limits are kept here.
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
    run: (sql, options) => orWithMore(() => session.run(sql, options)),
    query: (sql, options) => orWithMore(() => session.query(sql, options)),
    table: (sql, options) => orWithMore(() => session.table(sql, options)),
    firstRows: (sql, limit, options) => orWithMore(() => session.firstRows(sql, limit, options)),
    async withMemory(limit, work) {
      // What is in memory already may not fit.
      await setLimit(limit).then(
        () => (lowered = limit),
        () => undefined,
      );
      try {
        return await work();
      } finally {
        lowered = undefined;
        // A database that was closed meanwhile has no limit any more.
        await setLimit(own()).catch(() => undefined);
      }
    },
  };
}

export function setLimitSql(limit: string): string {
  return `SET memory_limit = '${limit}'`;
}
