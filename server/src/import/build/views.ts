import { graphViews } from '../../graph-schema/graph-schema.ts';
import type { BuildDialect } from './build-dialect.ts';

/** The statements that create the views of a graph (docs/semantics.md#132-views). */
export function createViewsSql({
  graph,
  graphInViews,
}: BuildDialect): readonly { readonly name: string; readonly sql: string }[] {
  return Object.entries(graphViews).map(([name, { select }]) => ({
    name,
    sql: `CREATE VIEW ${graph}.${name} AS ${select(graphInViews)}`,
  }));
}
