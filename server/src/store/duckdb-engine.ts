import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors.js';

/** Everything that loads DuckDB's package, so that programs can load it on first use. */
export { DuckDBInstance, ResultReturnType } from '@duckdb/node-api';
export { toCellValue, toDatabaseValue } from './duckdb-values.ts';

const faithful = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Keeps a leading U+FEFF in texts: DuckDB's package decodes with a shared TextDecoder that removes it as a byte order
 * mark, and has no option for that.
 */
export function keepByteOrderMarks(): void {
  Object.assign(textDecoder, { decode: (bytes: Uint8Array) => faithful.decode(bytes) });
}
