import type { Catalog, CatalogOrigin } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import { sourceKind } from '../connectors/source-kinds.ts';
import type { DataSource, DataSources } from '../model/data-sources.ts';
import { dataSourcesNamed, dataSourcesRead } from '../model/data-sources-used.ts';
import type { EntityGraph } from '../model/entity-graph.ts';

/**
 * The catalogs of all data sources of a graph as one; undefined while none is known. Unknown catalogs are empty and
 * incomplete, so that rules report nothing about them. Rows count as ordered only if those of every source are
 * (docs/semantics.md#164-order).
 */
export function combineCatalogs(
  graph: EntityGraph,
  { sources }: Pick<DataSources, 'sources'>,
  known: (source: DataSource) => Catalog | undefined,
): GraphCatalog | undefined {
  const named = dataSourcesNamed(graph).flatMap((name) => sources.find((source) => source.name.value === name) ?? []);
  const catalogs = named.map(known);
  const [main, ...others] = named.map((source, index) => catalogs[index] ?? unknownCatalog(source));
  if (!main || catalogs.every((catalog) => catalog === undefined)) return undefined;
  if (others.length === 0) return main;
  const read = new Set(dataSourcesRead(graph));
  const areOrdered = [main, ...others].every((each) => each.hasRowOrder === true || !read.has(each.dataSource));
  return combined(main, others, areOrdered);
}

/** Returns the same object for the same catalogs, because caches of features depend on it. */
function combined(main: Catalog, others: readonly Catalog[], areOrdered: boolean): GraphCatalog {
  const before = remembered.get(main);
  const isSame =
    before?.areOrdered === areOrdered &&
    before.others.length === others.length &&
    before.others.every((each, index) => each === others[index]);
  if (before && isSame) return before.catalog;
  const ofThisGraph = (catalog: Catalog): Catalog => ({
    ...catalog,
    isOneOfSeveral: true,
    ...(!areOrdered && { hasRowOrder: false }),
  });
  const catalog = { ...ofThisGraph(main), others: others.map(ofThisGraph) };
  remembered.set(main, { others, areOrdered, catalog });
  return catalog;
}

interface Combination {
  readonly others: readonly Catalog[];
  readonly areOrdered: boolean;
  readonly catalog: GraphCatalog;
}

const remembered = new WeakMap<Catalog, Combination>();

function unknownCatalog(source: DataSource): Catalog {
  const known = unknown.get(source);
  if (known) return known;
  const catalog = { ...originOf(source), objects: [], complete: false, readAt: new Date().toISOString(), warnings: [] };
  unknown.set(source, catalog);
  return catalog;
}

const unknown = new WeakMap<DataSource, Catalog>();

function originOf({ name, kind }: DataSource): CatalogOrigin {
  const found = sourceKind(kind?.value);
  return {
    dataSource: name.value,
    kind: kind?.value ?? '',
    dialect: found?.dialect ?? 'duckdb',
    ...(found?.capabilities.hasRowOrder && { hasRowOrder: true }),
    ...(found?.capabilities.isFetched && { isFetched: true }),
  };
}
