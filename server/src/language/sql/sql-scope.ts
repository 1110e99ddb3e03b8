import { type Catalog, type DataObject, findDataObject } from '../../catalog/catalog.ts';
import type { EntityElement, EntityGraph } from '../../model/entity-graph.ts';
import { joinedObjects } from '../../query/joined-objects.ts';

/** A table in scope, with its alias. */
export interface ScopedTable {
  readonly alias: string;
  readonly object: DataObject;
}

/** The tables in scope of custom SQL: those of the element; in an expression those of both ends and the cross table. */
export function tablesInScope(
  graph: EntityGraph,
  property: string,
  index: number,
  catalog: Catalog,
): readonly ScopedTable[] {
  return property === 'expression' ? endsOf(graph, index, catalog) : ofElement(graph.elements[index], catalog);
}

function ofElement(element: EntityElement | undefined, catalog: Catalog): readonly ScopedTable[] {
  const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
  const own = object ? [{ alias: object.path.at(-1) ?? object.name, object }] : [];
  return [...own, ...joinedObjects(element?.joins?.value ?? '', catalog)];
}

/** In an expression each side has the columns of its element, `cross` those of the cross table. */
function endsOf({ elements, relationships }: EntityGraph, index: number, catalog: Catalog): readonly ScopedTable[] {
  const relationship = relationships[index];
  const side = (alias: 'source' | 'target'): readonly ScopedTable[] => {
    const name = relationship?.[alias]?.value;
    const element = elements.find(({ activityName }) => name !== undefined && activityName?.value === name);
    const object = element?.dataObject && findDataObject(catalog, element.dataObject.value);
    return object ? [{ alias, object }] : [];
  };
  const bridge = relationship?.crossTable?.dataObject?.value;
  const cross = bridge === undefined ? undefined : findDataObject(catalog, bridge);
  return [...side('source'), ...side('target'), ...(cross ? [{ alias: 'cross', object: cross }] : [])];
}
