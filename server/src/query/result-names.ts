import type { SqlDialect } from '../catalog/catalog.ts';
import { identifierKey } from './sql-names.ts';

/** PostgreSQL cuts longer identifiers off, in bytes of UTF-8. */
const postgresqlLimit = 63;

/**
 * Result column names that the engine keeps apart, one for each of `names` and as written wherever that is possible.
 * PostgreSQL: names over 63 bytes are cut as the server itself would cut them, and numbered when two become equal.
 * DuckDB: names that differ only by case are numbered. Names in `taken` are avoided.
 */
export function resultNames(
  names: readonly string[],
  dialect: SqlDialect,
  taken: readonly string[] = [],
): readonly string[] {
  const used = new Set(taken.map((name) => identifierKey(name, dialect)));
  return names.map((name) => {
    for (let number = 1; ; number += 1) {
      const candidate = shorten(name, number === 1 ? '' : `~${number}`, dialect);
      const key = identifierKey(candidate, dialect);
      if (used.has(key)) continue;
      used.add(key);
      return candidate;
    }
  });
}

function shorten(name: string, suffix: string, dialect: SqlDialect): string {
  if (dialect !== 'postgresql' || Buffer.byteLength(name + suffix) <= postgresqlLimit) return name + suffix;
  let kept = '';
  let bytes = Buffer.byteLength(suffix);
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > postgresqlLimit) break;
    kept += character;
  }
  return kept + suffix;
}
