import type { SqlDialect } from '../../catalog/catalog.ts';
import { quoteIdentifier } from '../../query/quote.ts';

/** Where the statements of a build run, and what the engine there needs to be told. */
export interface BuildDialect {
  readonly name: SqlDialect;
  /** Quoted name of what holds the graph: an attached database of DuckDB, a schema of PostgreSQL. */
  readonly graph: string;
  /** Begins the statement that makes a table of the build itself, gone when it ends. */
  readonly createStaging: string;
}

export const duckdbBuild: BuildDialect = { name: 'duckdb', graph: 'graph', createStaging: 'CREATE TEMP TABLE' };

export function postgresqlBuild(schema: string): BuildDialect {
  return { name: 'postgresql', graph: quoteIdentifier(schema), createStaging: 'CREATE TEMP TABLE' };
}

/** Makes a table that is filled from `ranked` lie in its order. DuckDB keeps that order by itself, for half the time. */
export function inOrderOf(id: string, { name }: BuildDialect): string {
  return name === 'duckdb' ? '' : ` ORDER BY ${id}`;
}

/** A text as it is sorted everywhere: by its characters, not by a language. */
export function sortedText(expression: string, { name }: BuildDialect): string {
  return name === 'duckdb' ? expression : `${expression} COLLATE "C"`;
}
