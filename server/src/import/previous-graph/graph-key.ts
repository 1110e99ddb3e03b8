import { createHash } from 'node:crypto';
import type { StagedColumn } from '../../connectors/connector.ts';
import { storeVersion } from '../../graph-schema/graph-schema.ts';
import type { BuildSource } from '../build/build-source.ts';
import { compileBuild } from '../build/compile-build.ts';

export interface GraphVersions {
  /** Of the run. */
  readonly run: Readonly<Record<string, string>>;
  /** Of DuckDB, which builds the graph. */
  readonly duckdb: string;
}

/**
 * A hash of versions, of the columns of staged rows, and of the SQL of the build. Equal of two builds only if they make
 * equal graphs of equal staged rows. Their numbers of rows are part of it, because some statements are made for one.
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
