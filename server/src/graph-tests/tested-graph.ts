import { type Catalog, findDataObject } from '../catalog/catalog.ts';
import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { GraphTest, GraphTests } from './graph-tests.ts';
import { type TestedSource, testCatalog } from './test-catalog.ts';

/** A graph under test, with the data sources whose rows it reads; that of the file first. */
export interface TestedGraph {
  readonly graph: EntityGraph;
  readonly sources: TestedSources;
  /** The catalog of a test. */
  readonly catalogOf: (test: GraphTest) => GraphCatalog;
}

export type TestedSources = readonly [TestedSource, ...TestedSource[]];

/** A graph with the catalogs of its data sources, for the tests of a file. */
export function testedGraph(
  file: Pick<GraphTests, 'columns'>,
  graph: EntityGraph,
  sources: TestedSources,
): TestedGraph {
  const catalogs = new Map<GraphTest, GraphCatalog>();
  const build = (test: GraphTest): GraphCatalog => {
    const built = sources.map((source) =>
      testCatalog(file, test, source, (name) => sourcesOf(sources, name).includes(source)),
    );
    return inOneCatalog(built);
  };
  const catalogOf = (test: GraphTest): GraphCatalog => {
    const catalog = catalogs.get(test) ?? build(test);
    catalogs.set(test, catalog);
    return catalog;
  };
  return { graph, sources, catalogOf };
}

/**
 * The data sources that may have the data object of this name, by the first of these cases that applies:
 * 1. the graph reads it from them,
 * 2. their catalogs list it,
 * 3. the graph selects it from them,
 * 4. the name is unknown: the first data source.
 */
export function sourcesOf(sources: TestedSources, dataObject: string): readonly TestedSource[] {
  const read = sources.filter(({ named }) => named.get(dataObject)?.isRead === true);
  if (read.length > 0) return read;
  const known = sources.filter(({ known: catalog }) => catalog && findDataObject(catalog, dataObject));
  if (known.length > 0) return known;
  const selected = sources.filter(({ named }) => named.has(dataObject));
  return selected.length > 0 ? selected : [sources[0]];
}

/** Rows count as ordered only if those of every source are (docs/semantics.md#164-order). */
function inOneCatalog(catalogs: readonly Catalog[]): GraphCatalog {
  const [main, ...others] = catalogs;
  if (!main) throw new Error('A graph reads at least one data source.');
  if (others.length === 0) return main;
  const areOrdered = catalogs.every(({ hasRowOrder }) => hasRowOrder === true);
  const ordered = (catalog: Catalog): Catalog => (areOrdered ? catalog : { ...catalog, hasRowOrder: false });
  return { ...ordered(main), others: others.map(ordered) };
}
