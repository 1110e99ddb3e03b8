import { storeVersion } from './graph-schema.ts';

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
