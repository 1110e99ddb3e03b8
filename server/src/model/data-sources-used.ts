import type { CrossTable, EntityGraph, EntitySource } from './entity-graph.ts';
import type { Located } from './source-range.ts';

/** An entry that may name a data source. */
export interface NamesSource {
  readonly dataSource?: Located<string>;
}

/** The data source of an element, an entry of `entities`, a cross table or a selected data object. */
export function dataSourceNamed(graph: NamesSource, entry: NamesSource | undefined): string | undefined {
  return (entry?.dataSource ?? graph.dataSource)?.value;
}

/** The data sources whose rows a graph reads: that of the file first if it is used, then the others in the order of the file. */
export function dataSourcesRead(graph: EntityGraph): readonly string[] {
  const names = entriesWithRows(graph).map((entry) => dataSourceNamed(graph, entry));
  return ordered(graph, names);
}

/** The data sources that a graph names, used or not. */
export function dataSourcesNamed(graph: EntityGraph): readonly string[] {
  const known = named.get(graph);
  if (known) return known;
  const found = new Set<string>();
  const add = ({ dataSource }: NamesSource): void => {
    if (dataSource) found.add(dataSource.value);
  };
  add(graph);
  for (const list of [graph.dataObjects, graph.elements, graph.entities]) list.forEach(add);
  for (const { crossTable } of graph.relationships) if (crossTable) add(crossTable);
  const sources = [...found];
  named.set(graph, sources);
  return sources;
}

/** Several requests ask for those of one version of a graph, which may have thousands of entries. */
const named = new WeakMap<EntityGraph, readonly string[]>();

/** Everywhere a graph names a data source, in the order of the format. */
export function dataSourceNames(graph: EntityGraph): readonly Located<string>[] {
  const named = [graph, ...graph.dataObjects, ...entriesWithRows(graph)].flatMap(({ dataSource }) => dataSource ?? []);
  // The objects of a group share the name of their source.
  return [...new Map(named.map((name) => [name.range.start, name])).values()];
}

/** Everything that reads rows of a data object. */
export function entriesWithRows({
  elements,
  entities,
  relationships,
}: EntityGraph): readonly (EntitySource | CrossTable)[] {
  return [...elements, ...entities, ...relationships.flatMap(({ crossTable }) => crossTable ?? [])];
}

function ordered(graph: NamesSource, names: readonly (string | undefined)[]): readonly string[] {
  const found = new Set(names.filter((name) => name !== undefined));
  const main = graph.dataSource?.value;
  return main !== undefined && found.has(main) ? [...new Set([main, ...found])] : [...found];
}
