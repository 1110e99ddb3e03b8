import type { Catalog } from './catalog.ts';

/** What is known of the data sources of a graph: the catalog of the file's data source, and those of the others that the graph names. */
export interface GraphCatalog extends Catalog {
  readonly others?: readonly Catalog[];
}

/** The catalog of the data source that an entry names, by default that of the file; undefined if it is not configured. */
export function catalogOf(
  catalog: GraphCatalog,
  entry: { readonly dataSource?: { readonly value: string } } | undefined,
): Catalog | undefined {
  const name = entry?.dataSource?.value;
  if (name === undefined || name === catalog.dataSource) return catalog;
  return catalog.others?.find(({ dataSource }) => dataSource === name);
}
