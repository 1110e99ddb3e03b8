import type { EntityGraph } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { StepPath } from './cursor/scalar-place.ts';

/** The part of a graph that names the data source of a data object at a path: element, entry of `entities`, cross table or group. */
export function namesSourceAt(
  graph: EntityGraph,
  { path, indexes }: StepPath,
): { readonly dataSource?: Located<string> } | undefined {
  const [index = -1, second] = indexes;
  switch (path[0]) {
    case 'elements':
      return graph.elements[index];
    case 'entities':
      return graph.entities[index];
    case 'relationships':
      return graph.relationships[index]?.crossTable;
    case 'dataObjects':
      return second === undefined ? undefined : groupAt(graph, index);
    default:
      return undefined;
  }
}

/** The data source of the group at a place of `dataObjects`: groups are counted with the plain entries before them. */
function groupAt({ dataObjects }: EntityGraph, index: number): { readonly dataSource?: Located<string> } | undefined {
  let at = -1;
  let last: Located<string> | undefined;
  for (const object of dataObjects) {
    const isNew = object.dataSource === undefined || object.dataSource.range.start !== last?.range.start;
    if (isNew) at += 1;
    last = object.dataSource;
    if (at === index) return object;
  }
  return undefined;
}
