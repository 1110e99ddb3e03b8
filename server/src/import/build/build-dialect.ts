import type { SqlDialect } from '../../catalog/catalog.ts';
import { quoteIdentifier } from '../../query/quote.ts';

/** Where the statements of a build run, and what the engine there needs to be told. */
export interface BuildDialect {
  readonly name: SqlDialect;
  /** Quoted name of what holds the graph: an attached database of DuckDB, a schema of PostgreSQL. */
  readonly graph: string;
  /** Begins the statement that makes a table of the build itself, gone when it ends. */
  readonly createStaging: string;
  /** The engine has several nodes, over which the tables of the graph are spread. */
  readonly nodes?: Nodes;
}

/** How an engine spreads its tables over its nodes. */
export type Nodes = 'citus';

export const duckdbBuild: BuildDialect = { name: 'duckdb', graph: 'graph', createStaging: 'CREATE TEMP TABLE' };

export function postgresqlBuild(schema: string, nodes: Nodes | undefined): BuildDialect {
  const graph = quoteIdentifier(schema);
  return { name: 'postgresql', graph, createStaging: 'CREATE TEMP TABLE', ...(nodes && { nodes }) };
}

/** Makes a table that is filled from `ranked` lie in its order. DuckDB keeps that order by itself, for half the time. */
export function inOrderOf(id: string, { name }: BuildDialect): string {
  return name === 'duckdb' ? '' : ` ORDER BY ${id}`;
}

/** A text as it is sorted everywhere: by its characters, not by a language. */
export function sortedText(expression: string, { name }: BuildDialect): string {
  return name === 'duckdb' ? expression : `${expression} COLLATE "C"`;
}
