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
  connection.extractStatements = async function (sql) {
    await act(sql, (other) => run.call(this, other));
    return extractStatements.call(this, sql);
  };
  connection.run = async function (sql, ...rest) {
    await act(sql, (other) => run.call(this, other));
    return run.call(this, sql, ...rest);
  };
  connection.stream = async function (sql, ...rest) {
    await act(sql, (other) => run.call(this, other));
    return stream.call(this, sql, ...rest);
  };
  try {
    return await work();
  } finally {
    Object.assign(connection, { extractStatements, run, stream });
  }
}
