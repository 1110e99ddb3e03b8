import type { SqlDialect } from '../../catalog/catalog.ts';
import type { BuildingDialect, Dialect } from '../../dialects/dialect.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { dialectNamed } from '../../dialects/index.ts';
import { storageSchema } from '../../graph-schema/storage-tables.ts';

/** The dialect of the building engine, and the location of the graph. */
export interface BuildDialect extends BuildingDialect {
  /**
   * Quoted name of the container of the graph: an attached database of the embedded engine, or a schema of a source.
   */
  readonly graph: string;
  /** The name of the container in the SQL of views, which must resolve under any database name. */
  readonly graphInViews: string;
  /** Where the tables behind views are; absent if every table of the graph is a table. */
  readonly storage?: BuildStorage;
}

/** Containers of the tables behind views (`storage-tables.ts`), quoted. */
export interface BuildStorage {
  readonly tables: string;
  /** The name of the container in the SQL of views. */
  readonly inViews: string;
}

export const duckdbBuild: BuildDialect & { readonly storage: BuildStorage } = {
  ...duckdb,
  graph: 'graph',
  graphInViews: 'main',
  storage: { tables: `graph.${storageSchema}`, inViews: storageSchema },
};

/** The dialect of a build inside a source. Throws if its engine cannot build graphs. */
export function sourceBuildDialect(name: SqlDialect, side: readonly string[]): BuildDialect {
  const dialect = dialectNamed(name);
  if (!canBuild(dialect)) throw new Error(`${dialect.label} cannot build graphs.`);
  const graph = side.map(dialect.identifiers.quote).join('.');
  return { ...dialect, graph, graphInViews: graph };
}

function canBuild(dialect: Dialect): dialect is BuildingDialect {
  return dialect.build !== undefined;
}

/** `ORDER BY` for a table filled from `ranked`; empty where the engine keeps the order of `ranked`. */
export function inOrderOf(id: string, { build }: BuildDialect): string {
  return build.keepsRowOrder ? '' : ` ORDER BY ${id}`;
}
