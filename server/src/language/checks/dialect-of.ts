import { sourceKind } from '../../connectors/source-kinds.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectNamed } from '../../dialects/index.ts';
import type { CheckContext } from './check.ts';

/** The dialect in the source's catalog, or that of its kind. */
export function dialectOf({ graph, sources, catalog }: CheckContext): Dialect | undefined {
  const source = sources?.sources.find(({ name }) => name.value === graph.dataSource?.value);
  const name = catalog?.dialect ?? sourceKind(source?.kind?.value)?.dialect;
  return name === undefined ? undefined : dialectNamed(name);
}
