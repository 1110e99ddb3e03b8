import { DuckDBConnection } from '@duckdb/node-api';

/** The processor time of a statement, with the threads of DuckDB. Statements must run one after another. */
export interface StatementCosts {
  readonly sql: string;
  readonly processorSeconds: number;
}

/** Measures every statement that this process runs in DuckDB from here on. */
export function measureStatements(): readonly StatementCosts[] {
  const costs: StatementCosts[] = [];
  const connection = DuckDBConnection.prototype;
  const { runAndReadAll } = connection;
  connection.runAndReadAll = async function (sql, ...options) {
    const before = process.cpuUsage();
    const reader = await runAndReadAll.call(this, sql, ...options);
    costs.push({ sql, processorSeconds: processorSeconds(before) });
    return reader;
  };
  return costs;
}

/** Of this process, with all threads, since `process.cpuUsage()`. */
export function processorSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
