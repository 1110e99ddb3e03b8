/** Everything that loads DuckDB's package, so that programs can load it on first use. */
export { DuckDBInstance, ResultReturnType, version } from '@duckdb/node-api';
export { toCellValue, toDatabaseValue } from './duckdb-values.ts';
export { keepByteOrderMarks } from './keep-byte-order-marks.ts';
