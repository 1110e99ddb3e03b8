import type { SqlDialect } from '../catalog/catalog.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { dialectNamed } from '../dialects/index.ts';

/**
 * A name as a quoted identifier of the embedded engine. Throws on NUL; names that come from a user are asked `isQuotable`
 * first. Where the SQL runs at a source, its dialect quotes.
 */
export function quoteIdentifier(name: string): string {
  return duckdb.identifiers.quote(name);
}

/** The parts of a path such as `[schema, table]`, quoted and joined by dots. */
export function quotePath(path: readonly string[], { identifiers }: Pick<Dialect, 'identifiers'>): string {
  return path.map(identifiers.quote).join('.');
}

/** A text as an SQL string literal. Throws on NUL. */
export function quoteLiteral(text: string, dialect: SqlDialect): string {
  return dialectNamed(dialect).literals.quote(text);
}

/** Whether a name can be written in SQL at all. */
export function isQuotable(name: string): boolean {
  return name !== '' && !name.includes('\0');
}
