import { createHash } from 'node:crypto';
import type { StagedColumn } from '../../connectors/connector.ts';
import { storeVersion } from '../../graph-schema/graph-schema.ts';
import type { BuildSource } from '../build/build-source.ts';
import { compileBuild } from '../build/compile-build.ts';

export interface GraphVersions {
  /** Versions in the run record. */
  readonly run: Readonly<Record<string, string>>;
  /** Version of DuckDB, which builds the graph. */
  readonly duckdb: string;
}

/**
 * A hash of versions, of the columns of staged rows, and of the SQL of the build. Two builds have the same hash only if
 * they make equal graphs from equal staged rows. The numbers of rows are included, because some statements depend on
 * them.
 */
export function graphKey(source: BuildSource, { run, duckdb }: GraphVersions): string {
  const { node: _, ...others } = run;
  const versions = { ...others, duckdb, store: storeVersion };
  const columns: readonly (readonly StagedColumn[])[] = [
    ...[...source.elements, ...source.entities].map((each) => each.columns),
    ...source.relationships.map(({ loaded }) => loaded.columns),
  ];
  const statements = compileBuild(source).map(({ name, sql }) => [name, sql]);
  return createHash('sha256')
    .update(JSON.stringify([versions, columns, statements]))
    .digest('hex');
}
