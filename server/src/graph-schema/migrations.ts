import { graphViews, storeVersion } from './graph-schema.ts';

/** Readable versions before `storeVersion`. */
type OlderVersion = never;

/**
 * For each older version, statements that present its store as the next version. Stores are opened read-only, so the
 * statements create temporary views over tables.
 */
const migrations: Readonly<Record<OlderVersion, readonly string[]>> = {};

/** The statements that present a store of a version as `storeVersion`; undefined for an unreadable version. */
export function migrationsFrom(
  version: number,
  known: Readonly<Record<number, readonly string[]>> = migrations,
): readonly string[] | undefined {
  if (version === storeVersion) return [];
  const step = known[version];
  const rest = step && migrationsFrom(version + 1, known);
  return rest && [...step, ...rest];
}

/** Whether a store has views of an earlier version: they name the database as it was called during the import, and can be read under that name only. */
export const hasUnreadableViewsSql = `SELECT count(*) > 0 AS found FROM duckdb_views() WHERE NOT temporary AND view_name = 'edge_df' AND contains(sql, 'graph.')`;

/** Creates temporary views that replace such views. @param graph quoted container of the tables */
export function readableViewsSql(graph: string): readonly string[] {
  return Object.entries(graphViews).map(([name, { select }]) => `CREATE TEMP VIEW ${name} AS ${select(graph)}`);
}
