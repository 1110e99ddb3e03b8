import type { SqlDialect } from '../catalog/catalog.ts';

/**
 * A name as a quoted SQL identifier, the same in both dialects. Throws on NUL, which no engine can carry in its SQL text;
 * names that come from a user are asked `isQuotable` first.
 */
export function quoteIdentifier(name: string): string {
  return `"${withoutNul(name).replaceAll('"', '""')}"`;
}

/** The parts of a path such as `[schema, table]`, quoted and joined by dots. */
export function quotePath(path: readonly string[]): string {
  return path.map(quoteIdentifier).join('.');
}

/**
 * A text as an SQL string literal. Throws on NUL. In PostgreSQL a backslash is written as an escape string, whose meaning
 * does not hang on the session's `standard_conforming_strings`.
 */
export function quoteLiteral(text: string, dialect: SqlDialect): string {
  const doubled = withoutNul(text).replaceAll("'", "''");
  if (dialect === 'postgresql' && doubled.includes('\\')) return `E'${doubled.replaceAll('\\', '\\\\')}'`;
  return `'${doubled}'`;
}

/** Whether a name can be written in SQL at all. */
export function isQuotable(name: string): boolean {
  return name !== '' && !name.includes('\0');
}

function withoutNul(text: string): string {
  if (text.includes('\0')) throw new RangeError('SQL text cannot contain the character NUL.');
  return text;
}
