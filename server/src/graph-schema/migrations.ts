import { graphViews, storeVersion } from './graph-schema.ts';

/** Versions before `storeVersion` that are still read. */
type OlderVersion = never;

/**
 * For each older version, the statements that show a store of it as one of the next version. Stores are opened read-only: the statements put
 * temporary views in front of tables.
 */
const migrations: Readonly<Record<OlderVersion, readonly string[]>> = {};

/** The statements that show a store of a version as one of `storeVersion`; undefined where it cannot be read. */
export function migrationsFrom(
  version: number,
  known: Readonly<Record<number, readonly string[]>> = migrations,
): readonly string[] | undefined {
  if (version === storeVersion) return [];
  const step = known[version];
  const rest = step && migrationsFrom(version + 1, known);
  return rest && [...step, ...rest];
}

/** Whether a store has views of before: they name the database as it was called during the import, and can be read under that name only. */
export const hasUnreadableViewsSql = `SELECT count(*) > 0 AS found FROM duckdb_views() WHERE NOT temporary AND view_name = 'edge_df' AND contains(sql, 'graph.')`;

/** The statements that put temporary views in front of such views. @param graph what holds the tables, quoted */
export function readableViewsSql(graph: string): readonly string[] {
  return Object.entries(graphViews).map(([name, { select }]) => `CREATE TEMP VIEW ${name} AS ${select(graph)}`);
}
