import type { EntityElement, EntityGraph, MasterData, RowExpectations } from './entity-graph.ts';

/** Of an element, or an entry of `entities`. */
export type ExpectingRows<Entry extends EntityElement | MasterData> = Entry & { readonly expect: RowExpectations };

export function expectsRows<Entry extends EntityElement | MasterData>(entry: Entry): entry is ExpectingRows<Entry> {
  return entry.expect !== undefined;
}

/** What is left of a graph when only the expectations of its rows are asked: no properties, relationships and rules. */
export function expectingGraph(graph: EntityGraph): EntityGraph {
  const properties = { kind: 'list', columns: [] } as const;
  return {
    ...graph,
    elements: graph.elements
      .filter(expectsRows)
      .map(({ correlatesWith: _, ...element }) => ({ ...element, properties })),
    entities: graph.entities.filter(expectsRows).map((entry) => ({ ...entry, properties })),
    relationships: [],
    rules: [],
  };
}
