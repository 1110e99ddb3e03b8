import { createHash } from 'node:crypto';
import type { StagedColumn } from '../../connectors/connector.ts';
import type { BuildSource } from '../build/build-source.ts';
import { compileBuild } from '../build/compile-build.ts';

/**
 * Equal of two builds only if they make equal graphs of equal staged rows: they run the same statements over columns of
 * the same types. Their numbers of rows are part of it, because some statements are made for one.
 * @param versions of the run
 */
export function graphKey(source: BuildSource, versions: Readonly<Record<string, string>>): string {
  const { node: _, ...others } = versions;
  const columns: readonly (readonly StagedColumn[])[] = [
    ...[...source.elements, ...source.entities].map((each) => each.columns),
    ...source.relationships.map(({ loaded }) => loaded.columns),
  ];
  const statements = compileBuild(source).map(({ name, sql }) => [name, sql]);
  return createHash('sha256')
    .update(JSON.stringify([others, columns, statements]))
    .digest('hex');
}
