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
  const { extractStatements } = connection;
  connection.extractStatements = async function (sql) {
    const extracted = await extractStatements.call(this, sql);
    const prepare = extracted.prepare.bind(extracted);
    extracted.prepare = async (index) => {
      const before = process.cpuUsage();
      const statement = await prepare(index);
      const runAndReadAll = statement.runAndReadAll.bind(statement);
      statement.runAndReadAll = async () => {
        const reader = await runAndReadAll();
        costs.push({ sql, processorSeconds: processorSeconds(before) });
        return reader;
      };
      return statement;
    };
    return extracted;
  };
  return costs;
}

/** Of this process, with all threads, since `process.cpuUsage()`. */
export function processorSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
