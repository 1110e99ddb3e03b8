import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
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
  catalog: Catalog,
): readonly ScopedTable[] {
  if (list === 'relationships') return endsOf(graph, index, catalog);
  return ofElement(list === 'entities' ? graph.entities[index] : graph.elements[index], catalog);
}

function ofElement(element: EntitySource | undefined, catalog: Catalog): readonly ScopedTable[] {
  const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
  const own = object ? [{ alias: object.path.at(-1) ?? object.name, object }] : [];
  return [...own, ...joinedObjects(element?.joins?.value ?? '', catalog)];
}

/** In an expression each side has the columns of its element, `cross` those of the cross table. */
function endsOf(graph: EntityGraph, index: number, catalog: Catalog): readonly ScopedTable[] {
  const relationship = graph.relationships[index];
  const side = (alias: 'source' | 'target'): readonly ScopedTable[] => {
    const name = relationship?.[alias]?.value;
    const element = name === undefined ? undefined : endNamed(graph, name);
    const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
    return object ? [{ alias, object }] : [];
  };
  const bridge = relationship?.crossTable?.dataObject?.value;
  const cross = bridge === undefined ? undefined : findDataObject(catalog, bridge);
  return [...side('source'), ...side('target'), ...(cross ? [{ alias: 'cross', object: cross }] : [])];
}
