import type { DataObject } from '../../catalog/catalog.ts';
import { type GraphCatalog, catalogOf, dataObjectOf } from '../../catalog/graph-catalog.ts';
import type { EntityGraph, EntitySource } from '../../model/entity-graph.ts';
import { endNamed } from '../../model/relationship-ends.ts';
import { joinedObjects } from '../../query/joined-objects.ts';

/** A table in scope, with its alias. */
export interface ScopedTable {
  readonly alias: string;
  readonly object: DataObject;
}

/** The tables whose columns custom SQL of a list may name: those of the element or entry, in an expression those of both ends and of the bridge. */
export function tablesInScope(
  graph: EntityGraph,
  list: string,
  index: number,
  catalog: GraphCatalog,
): readonly ScopedTable[] {
  if (list === 'relationships') return endsOf(graph, index, catalog);
  return ofElement(list === 'entities' ? graph.entities[index] : graph.elements[index], catalog);
}

function ofElement(element: EntitySource | undefined, all: GraphCatalog): readonly ScopedTable[] {
  const catalog = catalogOf(all, element);
  if (!catalog) return [];
  const object = element && dataObjectOf(element, all);
  const own = object ? [{ alias: object.path.at(-1) ?? object.name, object }] : [];
  return [...own, ...joinedObjects(element?.joins?.value ?? '', catalog)];
}

/** In an expression, each side has the columns of its element, and `cross` has those of the cross table. */
function endsOf(graph: EntityGraph, index: number, catalog: GraphCatalog): readonly ScopedTable[] {
  const relationship = graph.relationships[index];
  const side = (alias: 'source' | 'target'): readonly ScopedTable[] => {
    const name = relationship?.[alias]?.value;
    const element = name === undefined ? undefined : endNamed(graph, name);
    const object = element && dataObjectOf(element, catalog);
    return object ? [{ alias, object }] : [];
  };
  const cross = relationship?.crossTable && dataObjectOf(relationship.crossTable, catalog);
  return [...side('source'), ...side('target'), ...(cross ? [{ alias: 'cross', object: cross }] : [])];
}
