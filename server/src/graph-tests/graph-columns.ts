import { type EntityGraph, type EntitySource, type Mapping, expectedColumns } from '../model/entity-graph.ts';

/** The columns that a graph names outside of custom SQL, by data object, each with whether it is used as a time. */
export type GraphColumns = ReadonlyMap<string, ReadonlyMap<string, { readonly isTime: boolean }>>;

/** The data objects and columns that a graph names. */
export function graphColumns(graph: EntityGraph): GraphColumns {
  const found = new Map<string, Map<string, { readonly isTime: boolean }>>();
  const add = (object: string | undefined, column?: string, isTime = false): void => {
    if (object === undefined) return;
    const columns = found.get(object) ?? new Map<string, { readonly isTime: boolean }>();
    found.set(object, columns);
    if (column !== undefined && !columns.get(column)?.isTime) columns.set(column, { isTime });
  };
  for (const { value } of graph.dataObjects) add(value);
  for (const element of graph.elements) {
    const { dataObject, startTimestamp, changeTimestamp, sequence, activityColumn, correlatesWith = [] } = element;
    addSource(element, add);
    add(dataObject?.value, startTimestamp?.value, true);
    add(dataObject?.value, changeTimestamp?.value, true);
    for (const each of [
      sequence,
      activityColumn,
      ...correlatesWith.flatMap(({ key }) => key),
      ...expectedColumns(element),
    ]) {
      add(dataObject?.value, each?.value);
    }
  }
  for (const entry of graph.entities) addSource(entry, add);
  for (const { source, target, mappings, crossTable } of graph.relationships) {
    const [from, to] = [objectOf(graph, source?.value), objectOf(graph, target?.value)];
    for (const mapping of mappings.filter(isOfColumns)) {
      add(from, mapping.source.value);
      add(to, mapping.target.value);
    }
    const cross = crossTable?.dataObject?.value;
    add(cross);
    for (const mapping of crossTable?.sourceMappings ?? []) addCross(mapping, from);
    for (const mapping of crossTable?.targetMappings ?? []) addCross(mapping, to);
    function addCross(
      mapping: { column: { value: string }; cross: { value: string } },
      side: string | undefined,
    ): void {
      add(side, mapping.column.value);
      add(cross, mapping.cross.value);
    }
  }
  return found;
}

type Add = (object: string | undefined, column?: string, isTime?: boolean) => void;

function addSource({ dataObject, key = [], properties }: EntitySource, add: Add): void {
  add(dataObject?.value);
  for (const { value } of key) add(dataObject?.value, value);
  if (properties.kind === 'list') for (const { value } of properties.columns) add(dataObject?.value, value);
}

function isOfColumns(mapping: Mapping): mapping is Extract<Mapping, { kind: 'columns' }> {
  return mapping.kind === 'columns';
}

/** The data object of an end of a relationship. */
function objectOf(graph: EntityGraph, name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const element = graph.elements.find(({ activityName }) => activityName?.value === name);
  const entry = graph.entities.find((each) => (each.name ?? each.entityType ?? each.dataObject)?.value === name);
  return (element ?? entry)?.dataObject?.value;
}
