import { type Catalog, type Column, type DataObject, findColumn, findDataObject } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import type { FieldType } from '../../../protocol/fields/field.ts';
import type { EntityGraph, EntitySource } from '../model/entity-graph.ts';
import { fieldOfEntry } from '../model/entry-columns.ts';
import { endNamed } from '../model/relationship-ends.ts';
import { joinedObjects } from '../query/joined-objects.ts';
import type { StepPath } from './cursor/scalar-place.ts';

/** A column as written in the file. */
export interface NamedColumn {
  /** `column`, or `alias.column` of a joined table. */
  readonly name: string;
  readonly column: Column;
}

/** The columns available at a path of an entity graph. */
export interface ColumnScope {
  /** The element of the path, or the one at that relationship end; none for a cross table. */
  readonly element?: EntitySource;
  /** Own columns first, then columns of joined tables, in catalog order. */
  readonly columns: readonly NamedColumn[];
}

/** What holds columns itself, in a list of several, or in an object. */
const ofColumns: ReadonlySet<FieldType | undefined> = new Set(['key', 'time', 'column', 'properties']);

/** Whether a column is expected at a path. */
export function isColumnPlace({ path }: Pick<StepPath, 'path'>): boolean {
  const [top] = path;
  const property = path.findLast((step) => step !== '[]') ?? '';
  if (top === 'elements' || top === 'entities') {
    const type = fieldOfEntry(top, path[2] ?? '')?.type;
    if (type === 'rowCorrelations') return property === 'key';
    if (type === 'expectations') return path[3] === 'unique' || path[3] === 'notNull';
    if (property === 'column') return type === 'time' || type === 'properties' || type === 'lifecycle';
    return path.length <= 4 && ofColumns.has(fieldOfEntry(top, property)?.type);
  }
  // The ends of the relationship itself are activities; deeper in it they are columns.
  return top === 'relationships' && path.length > 3 && ['cross', 'source', 'target'].includes(property);
}

/** The columns available at a path; undefined if no column is expected there. */
export function columnScope(graph: EntityGraph, at: StepPath, catalog: GraphCatalog): ColumnScope | undefined {
  const [top] = at.path;
  const property = at.path.findLast((step) => step !== '[]') ?? '';
  // A path outside of an entry, such as fields typed before the first dash, belongs to no entry.
  const [index = -1] = at.indexes;
  if (!isColumnPlace(at)) return undefined;
  if (top === 'elements' || top === 'entities') return scopeOf(graph[top][index], catalog);
  const relationship = graph.relationships[index];
  if (property === 'cross') {
    const name = relationship?.crossTable?.dataObject?.value;
    const bridges = catalogOf(catalog, relationship?.crossTable);
    const object = name === undefined || !bridges ? undefined : findDataObject(bridges, name);
    return { columns: object ? own(object) : [] };
  }
  if (property !== 'source' && property !== 'target') return undefined;
  const activity = relationship?.[property]?.value;
  return scopeOf(activity === undefined ? undefined : endNamed(graph, activity), catalog);
}

/** Resolves a column name: whole first, then as `alias.column`. */
export function findInScope({ columns }: ColumnScope, name: string): Column | undefined {
  return columns.find((each) => each.name === name)?.column;
}

/** The columns available to an element, of its own data source; empty without one. */
export function scopeOf(element: EntitySource | undefined, catalog: GraphCatalog): ColumnScope {
  if (!element) return { columns: [] };
  const own = catalogOf(catalog, element);
  return { element, columns: own ? columnsOf(element.dataObject?.value, element.joins?.value, own) : [] };
}

/** The columns of a data object, then the columns of tables in custom JOIN clauses. */
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
