import { DuckDBConnection } from '@duckdb/node-api';

/**
 * Calls `act` before each statement of DuckDB in this process during `work`; if it throws, the statement fails. It can run
 * other statements on the same connection, for which it is not called.
 */
export async function beforeStatements<T>(
  act: (sql: string, other: (sql: string) => Promise<unknown>) => void | Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  const connection = DuckDBConnection.prototype;
  const { extractStatements, run, stream } = connection;
  /** The statement that a connection has parsed and not run yet. */
  const parsed = new WeakMap<DuckDBConnection, string>();
  const begin = async (on: DuckDBConnection, sql: string): Promise<void> => {
    const isParsed = parsed.get(on) === sql;
    parsed.delete(on);
    if (!isParsed) await act(sql, (other) => run.call(on, other));
  };
  connection.extractStatements = async function (sql) {
    await act(sql, (other) => run.call(this, other));
    parsed.set(this, sql);
    return extractStatements.call(this, sql);
  };
  connection.run = async function (sql, ...rest) {
    await begin(this, sql);
    return run.call(this, sql, ...rest);
  };
  connection.stream = async function (sql, ...rest) {
    await begin(this, sql);
    return stream.call(this, sql, ...rest);
  };
  try {
    return await work();
  } finally {
    Object.assign(connection, { extractStatements, run, stream });
  }
}
