import { DuckDBConnection } from '@duckdb/node-api';
import pg from 'pg';

export interface TracedStatements {
  /** Every DuckDB statement of this process. */
  readonly duckdb: readonly string[];
  /** Every statement sent to PostgreSQL. */
  readonly postgresql: readonly string[];
}

/** Records at the drivers of both databases during `work`. */
export async function traceStatements<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly trace: TracedStatements }> {
  const trace = { duckdb: [] as string[], postgresql: [] as string[] };
  const connection = DuckDBConnection.prototype;
  const { extractStatements, run, stream } = connection;
  const { query } = pg.Client.prototype;
  connection.extractStatements = function (sql) {
    trace.duckdb.push(sql);
    return extractStatements.call(this, sql);
  };
  connection.run = function (sql, ...rest) {
    trace.duckdb.push(sql);
    return run.call(this, sql, ...rest);
  };
  connection.stream = function (sql, ...rest) {
    trace.duckdb.push(sql);
    return stream.call(this, sql, ...rest);
  };
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    trace.postgresql.push(textOf(args[0]));
    return Reflect.apply(query, this, args) as unknown;
  } as typeof query;
  try {
    return { result: await work(), trace };
  } finally {
    Object.assign(connection, { extractStatements, run, stream });
    pg.Client.prototype.query = query;
  }
}

/** The text of a text, query object, or COPY stream. */
function textOf(given: unknown): string {
  return typeof given === 'string' ? given : String((given as { readonly text?: unknown }).text ?? '');
}
