import { openScratch } from '../../server/src/store/duckdb-store.ts';
import type { PostgresAccess } from './postgres.ts';

/** Format of a CSV file. */
export interface CsvReading {
  readonly nullValue: string;
  /** As DuckDB prints it. */
  readonly timestampFormat: string;
}

/** Creates a table from a CSV file, with the types detected by DuckDB. */
export async function loadCsv(
  server: Pick<PostgresAccess, 'query'>,
  database: string,
  table: string,
  path: string,
  { nullValue, timestampFormat }: CsvReading,
): Promise<void> {
  const scratch = await openScratch();
  try {
    const { columns, rows } = await scratch.table(
      `SELECT * FROM read_csv('${path.replaceAll("'", "''")}', nullstr = '${nullValue}', timestampformat = '${timestampFormat}')`,
    );
    const types: Readonly<Record<string, string>> = { BIGINT: 'bigint', BOOLEAN: 'boolean', TIMESTAMP: 'timestamp' };
    const listed = columns.map(({ name, type }) => `"${name}" ${types[type] ?? 'text'}`).join(', ');
    await server.query(database, `CREATE TABLE "${table}" (${listed})`);
    const records = rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index]])));
    await server.query(database, `INSERT INTO "${table}" SELECT * FROM json_populate_recordset(NULL::"${table}", $1)`, [
      JSON.stringify(records),
    ]);
  } finally {
    await scratch.close();
  }
}
