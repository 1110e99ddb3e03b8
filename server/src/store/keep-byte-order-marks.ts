import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors.js';

const faithful = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Makes DuckDB's package read texts as they are: its decoder takes a U+FEFF at their beginning for a mark of the encoding and
 * drops it, as decoders do unless told otherwise. It has no option for that, but all of it shares one decoder.
 */
export function keepByteOrderMarks(): void {
  Object.assign(textDecoder, { decode: (bytes: Uint8Array) => faithful.decode(bytes) });
}
