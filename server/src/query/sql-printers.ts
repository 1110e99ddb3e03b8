import type { SqlDialect } from '../catalog/catalog.ts';
import { duckdbPrinter } from './duckdb-sql.ts';
import { postgresqlPrinter } from './postgresql-sql.ts';
import type { SqlPrinter } from './print-query.ts';

/** One printer per dialect. */
export const sqlPrinters: Readonly<Record<SqlDialect, SqlPrinter>> = {
  postgresql: postgresqlPrinter,
  duckdb: duckdbPrinter,
};
