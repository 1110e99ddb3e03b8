import { type Catalog, type DataObject, findDataObject } from './catalog.ts';

/**
 * The known catalogs of a graph: that of the file's data source, and those of other data sources that the graph names.
 */
export interface GraphCatalog extends Catalog {
  readonly others?: readonly Catalog[];
}

/** The catalog of the data source that an entry names, by default that of the file; undefined if it is not configured. */
export function catalogOf(
  catalog: GraphCatalog,
  entry: { readonly dataSource?: { readonly value: string } | undefined } | undefined,
): Catalog | undefined {
  const name = entry?.dataSource?.value;
  if (name === undefined || name === catalog.dataSource) return catalog;
  return catalog.others?.find(({ dataSource }) => dataSource === name);
}

/** The catalog of two entries of one data source; undefined for entries of several. */
export function commonCatalog(
  catalog: GraphCatalog,
  one: Parameters<typeof catalogOf>[1],
  other: Parameters<typeof catalogOf>[1],
): Catalog | undefined {
  const own = catalogOf(catalog, one);
  return own === catalogOf(catalog, other) ? own : undefined;
}

/** The data object of an element, an entry of `entities`, a cross table or a selected one, in the catalog of its own data source. */
export function dataObjectOf(
  entry: {
    readonly dataSource?: { readonly value: string } | undefined;
    readonly dataObject?: { readonly value: string } | undefined;
  },
  catalog: GraphCatalog,
): DataObject | undefined {
  const own = catalogOf(catalog, entry);
  return own && entry.dataObject && findDataObject(own, entry.dataObject.value);
}
