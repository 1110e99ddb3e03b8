import type { SqlDialect } from '../catalog/catalog.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { dialectNamed } from '../dialects/index.ts';

/**
 * Quotes an identifier for the embedded engine. Throws on NUL; check names of users with `isQuotable` first. SQL for a
 * source is quoted by its dialect.
 */
export function quoteIdentifier(name: string): string {
  return duckdb.identifiers.quote(name);
}

/** The quoted parts of a path such as `[schema, table]`, joined by dots. */
export function quotePath(path: readonly string[], { identifiers }: Pick<Dialect, 'identifiers'>): string {
  return path.map(identifiers.quote).join('.');
}

/** A string literal for the embedded engine. Throws on NUL. */
export function embeddedLiteral(text: string): string {
  return duckdb.literals.quote(text);
}

/** A string literal in a dialect. Throws on NUL. */
export function quoteLiteral(text: string, dialect: SqlDialect): string {
  return dialectNamed(dialect).literals.quote(text);
}

/** Whether a name can be written in SQL. */
export function isQuotable(name: string): boolean {
  return name !== '' && !name.includes('\0');
}
