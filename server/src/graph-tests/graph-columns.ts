import type { SqlDialect } from '../catalog/catalog.ts';
import { dialectNamed } from '../dialects/index.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityGraph, EntitySource, Mapping } from '../model/entity-graph.ts';
import { columnsOfEntry } from '../model/entry-columns.ts';
import { identifierKey, mentionedNames } from '../query/sql-names.ts';

/** The data objects of a data source that a graph names outside of custom SQL, by name. */
export type GraphColumns = ReadonlyMap<string, NamedObject>;

/** A data object that a graph names. */
export interface NamedObject {
  /** An element, an entry of `entities` or a cross table reads it; otherwise it is only selected in `dataObjects`. */
  readonly isRead: boolean;
  /** The columns that the graph names, each with whether it is used as a time. */
  readonly columns: ReadonlyMap<string, { readonly isTime: boolean }>;
}

/** The data objects and columns of a data source that a graph names. Columns of joined tables are part of custom SQL. */
export function graphColumns(graph: EntityGraph, dataSource: string, dialect: SqlDialect): GraphColumns {
  const found = new Map<string, { isRead: boolean; readonly columns: Map<string, { readonly isTime: boolean }> }>();
  const add = (owner: Owner | undefined, column?: string, isTime = false): void => {
    const object = owner?.dataObject?.value;
    if (object === undefined || dataSourceNamed(graph, owner) !== dataSource) return;
    const named = found.get(object) ?? { isRead: false, columns: new Map<string, { readonly isTime: boolean }>() };
    found.set(object, named);
    named.isRead ||= owner?.isSelection !== true;
    const own = column === undefined ? undefined : ownColumn(column, owner, object, dialect);
    if (own !== undefined && !named.columns.get(own)?.isTime) named.columns.set(own, { isTime });
  };
  for (const selected of graph.dataObjects) add({ ...selected, dataObject: selected, isSelection: true });
  eachNamedColumn(graph, add);
  return found;
}

/** Calls `add` for each reader of a data object, and for each column that it names outside of custom SQL, as written. */
export function eachNamedColumn(graph: EntityGraph, add: Add): void {
  for (const entry of [...graph.elements, ...graph.entities]) {
    add(entry);
    for (const { names, field } of columnsOfEntry(entry)) {
      for (const { value } of names) add(entry, value, field.type === 'time');
    }
  }
  for (const { source, target, mappings, crossTable } of graph.relationships) {
    const [from, to] = [endOf(graph, source?.value), endOf(graph, target?.value)];
    for (const mapping of mappings.filter(isOfColumns)) {
      add(from, mapping.source.value);
      add(to, mapping.target.value);
    }
    add(crossTable);
    for (const mapping of crossTable?.sourceMappings ?? []) addCross(mapping, from);
    for (const mapping of crossTable?.targetMappings ?? []) addCross(mapping, to);
    function addCross(mapping: { column: { value: string }; cross: { value: string } }, side: Owner | undefined): void {
      add(side, mapping.column.value);
      add(crossTable, mapping.cross.value);
    }
  }
}

/** An entry that reads a data object or selects it. */
type Owner = Pick<EntitySource, 'dataObject' | 'dataSource' | 'joins'> & { readonly isSelection?: true };
type Add = (owner: Owner | undefined, column?: string, isTime?: boolean) => void;

/** The column of the data object that a name means; undefined for `alias.column` of a table in the joins. */
function ownColumn(
  name: string,
  owner: Owner | undefined,
  dataObject: string,
  dialect: SqlDialect,
): string | undefined {
  const dot = name.lastIndexOf('.');
  if (dot < 1) return name;
  const alias = name.slice(0, dot);
  if (alias === dialectNamed(dialect).identifiers.path(dataObject).at(-1)) return name.slice(dot + 1);
  const mentioned = owner?.joins && mentionedNames(owner.joins.value, dialect);
  return mentioned?.has(identifierKey(alias, dialect)) ? undefined : name;
}

function isOfColumns(mapping: Mapping): mapping is Extract<Mapping, { kind: 'columns' }> {
  return mapping.kind === 'columns';
}

/** The entry that an end of a relationship names. */
function endOf(graph: EntityGraph, name: string | undefined): Owner | undefined {
  if (name === undefined) return undefined;
  const element = graph.elements.find(({ activityName }) => activityName?.value === name);
  const entry = graph.entities.find((each) => (each.name ?? each.entityType ?? each.dataObject)?.value === name);
  return element ?? entry;
}
