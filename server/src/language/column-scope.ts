import { type Catalog, type Column, type DataObject, findColumn, findDataObject } from '../catalog/catalog.ts';
import type { EntityElement, EntityGraph } from '../model/entity-graph.ts';
import { joinedObjects } from '../query/joined-objects.ts';
import type { StepPath } from './cursor/scalar-place.ts';

/** A column as it is written where a column is asked for. */
export interface NamedColumn {
  /** `column`, or `alias.column` of a joined table. */
  readonly name: string;
  readonly column: Column;
}

/** The columns that may be named at a path of an entity graph. */
export interface ColumnScope {
  /** The element whose property the path is, or that is at that end of the relationship; none for a cross table. */
  readonly element?: EntityElement;
  /** Own columns first, then those of joined tables, each in catalog order. */
  readonly columns: readonly NamedColumn[];
}

const elementColumns = new Set([
  'key',
  'startTimestamp',
  'changeTimestamp',
  'sequence',
  'activityColumn',
  'properties',
]);

/** The columns that may be named at a path; undefined where no column is asked for. */
export function columnScope(graph: EntityGraph, at: StepPath, catalog: Catalog): ColumnScope | undefined {
  const [top] = at.path;
  const property = at.path.findLast((step) => step !== '[]') ?? '';
  const [index = 0] = at.indexes;
  if (top === 'elements' && at.path.length <= 4 && elementColumns.has(property)) {
    return scopeOf(graph.elements[index], catalog);
  }
  if (top === 'elements' && at.path[2] === 'properties' && property === 'column') {
    return scopeOf(graph.elements[index], catalog);
  }
  // The ends of the relationship itself are activities; deeper in it they are columns.
  if (top !== 'relationships' || at.path.length <= 3) return undefined;
  const relationship = graph.relationships[index];
  if (property === 'cross') {
    const name = relationship?.crossTable?.dataObject?.value;
    const object = name === undefined ? undefined : findDataObject(catalog, name);
    return { columns: object ? own(object) : [] };
  }
  if (property !== 'source' && property !== 'target') return undefined;
  const activity = relationship?.[property]?.value;
  return scopeOf(
    graph.elements.find(({ activityName }) => activity !== undefined && activityName?.value === activity),
    catalog,
  );
}

/** The column that a name means: matched whole first, then as `alias.column`. */
export function findInScope({ columns }: ColumnScope, name: string): Column | undefined {
  return columns.find((each) => each.name === name)?.column;
}

/** The columns that an element may name; none without an element. */
export function scopeOf(element: EntityElement | undefined, catalog: Catalog): ColumnScope {
  if (!element) return { columns: [] };
  return { element, columns: columnsOf(element.dataObject?.value, element.joins?.value, catalog) };
}

/** The columns of a data object, then those of the tables that custom JOIN clauses bring in. */
export function columnsOf(
  dataObject: string | undefined,
  joins: string | undefined,
  catalog: Catalog,
): readonly NamedColumn[] {
  const object = dataObject === undefined ? undefined : findDataObject(catalog, dataObject);
  const joined = joinedObjects(joins ?? '', catalog).flatMap(({ alias, object: other }) =>
    other.columns.map((column) => ({ name: `${alias}.${column.name}`, column })),
  );
  return [...(object ? own(object) : []), ...joined.filter(({ name }) => !object || !findColumn(object, name))];
}

function own({ columns }: DataObject): readonly NamedColumn[] {
  return columns.map((column) => ({ name: column.name, column }));
}
