import { DuckDBConnection } from '@duckdb/node-api';

/** Calls `act` before each statement of DuckDB in this process during `work`; if it throws, the statement fails. */
export async function beforeStatements<T>(act: (sql: string) => void, work: () => Promise<T>): Promise<T> {
  const connection = DuckDBConnection.prototype;
  const { extractStatements, run, stream } = connection;
  connection.extractStatements = async function (sql) {
    act(sql);
    return extractStatements.call(this, sql);
  };
  connection.run = async function (sql, ...rest) {
    act(sql);
    return run.call(this, sql, ...rest);
  };
  connection.stream = async function (sql, ...rest) {
    act(sql);
    return stream.call(this, sql, ...rest);
  };
  try {
    return await work();
  } finally {
    Object.assign(connection, { extractStatements, run, stream });
  }
}
