import type { SqlDialect } from '../../catalog/catalog.ts';
import type { BuildAbilities, DistributeTable } from '../../connectors/source-build.ts';
import type { BuildingDialect, Dialect } from '../../dialects/dialect.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { dialectNamed } from '../../dialects/index.ts';

/** The dialect of the engine in which a graph is built, and where it keeps the graph. */
export interface BuildDialect extends BuildingDialect {
  /** Quoted name of what holds the graph: an attached database of the embedded engine, a schema of a source. */
  readonly graph: string;
  /** The same where the views of the graph name it: it must be found whatever name others give to the database that they open. */
  readonly graphInViews: string;
  /** The engine has several nodes, over which the tables of the graph are spread. */
  readonly distribute?: DistributeTable;
}

export const duckdbBuild: BuildDialect = { ...duckdb, graph: 'graph', graphInViews: 'main' };

/** A build inside a source. Throws where the engine of the dialect can build no graphs. */
export function sourceBuildDialect(
  name: SqlDialect,
  schema: string,
  { distribute }: Pick<BuildAbilities, 'distribute'> = {},
): BuildDialect {
  const dialect = dialectNamed(name);
  if (!canBuild(dialect)) throw new Error(`${dialect.label} cannot build graphs.`);
  const graph = dialect.identifiers.quote(schema);
  return { ...dialect, graph, graphInViews: graph, ...(distribute && { distribute }) };
}

function canBuild(dialect: Dialect): dialect is BuildingDialect {
  return dialect.build !== undefined;
}

/** Makes a table that is filled from `ranked` lie in its order. An engine that keeps that order by itself needs half the time. */
export function inOrderOf(id: string, { build }: BuildDialect): string {
  return build.keepsRowOrder ? '' : ` ORDER BY ${id}`;
}
