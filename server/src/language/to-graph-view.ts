import type { ElementView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { elementValues, relationshipValues } from '../model/edits/dialog-values.ts';
import { elementIds } from '../model/edits/entry-ids.ts';
import { type JsonObject, isJsonObject } from '../model/edits/json-value.ts';
import { draftMessage, unconfiguredMessage } from '../model/configuration-state.ts';
import { type EntityElement, type Mapping, type Relationship, relationshipName } from '../model/entity-graph.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import { plainValue } from '../model/plain-value.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** The picture of an entity graph, as the canvas draws it. `uri` and `version` are those of the document. */
export function toGraphView(
  parsed: ParsedEntityGraph,
  { uri, version }: { readonly uri: string; readonly version: number },
): GraphView {
  const { graph, problems, yaml } = parsed;
  const lines = createLineIndex(yaml.text);
  const ids = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  const links = elementIds(graph.relationships.map(relationshipName));
  const idOf = (activity: string | undefined): string | undefined =>
    ids[graph.elements.findIndex(({ activityName }) => activity !== undefined && activityName?.value === activity)];
  const [syntax] = problems;
  return {
    uri,
    version,
    name: graph.name?.value ?? '',
    ...(graph.dataSource ? { dataSource: graph.dataSource.value } : {}),
    dataObjects: graph.dataObjects.map(({ value }) => value),
    elements: graph.elements.map((element, index) => ({
      ...elementView(element, ids[index] ?? `#${index}`, lines),
      values: elementValues(plain(element, parsed)),
    })),
    relationships: graph.relationships.map((relationship, index) => ({
      ...relationshipView(relationship, links[index] ?? `#${index}`, idOf, lines),
      values: relationshipValues(plain(relationship, parsed)),
    })),
    ...(syntax ? { syntaxError: { message: syntax.message, range: lines.range(syntax.range) } } : {}),
  };
}

/** An entry without its formatting; nothing of it when its aliases lead nowhere. */
function plain(entry: EntityElement | Relationship, { originOf, yaml }: ParsedEntityGraph): JsonObject {
  const value = plainValue(originOf(entry) ?? null, yaml);
  return isJsonObject(value) ? value : {};
}

function elementView(element: EntityElement, id: string, lines: LineIndex): Omit<ElementView, 'values'> {
  const { properties, processContext } = element;
  const unconfigured = unconfiguredMessage(element);
  const context = processContext && (processContext.description ?? processContext.owner ?? '');
  return {
    id,
    ...(element.activityName ? { activityName: element.activityName.value } : {}),
    ...(element.dataObject ? { dataObject: element.dataObject.value } : {}),
    ...(element.startTimestamp ? { startTimestamp: element.startTimestamp.value } : {}),
    ...(element.changeTimestamp ? { changeTimestamp: element.changeTimestamp.value } : {}),
    properties: properties.kind === 'all' ? [] : properties.columns.map(({ value }) => value),
    allProperties: properties.kind === 'all',
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(context === undefined ? {} : { processContext: context }),
    range: lines.range(element.activityName?.range ?? element.range),
    extent: lines.range(element.range),
  };
}

function relationshipView(
  relationship: Relationship,
  id: string,
  idOf: (activity: string | undefined) => string | undefined,
  lines: LineIndex,
): Omit<RelationshipView, 'values'> {
  const { source, target, crossTable } = relationship;
  const draft = draftMessage(relationship);
  const [from, to] = [idOf(source?.value), idOf(target?.value)];
  return {
    id,
    name: relationshipName(relationship),
    ...(from === undefined ? {} : { source: from }),
    ...(to === undefined ? {} : { target: to }),
    label: joinLabel(relationship),
    ...(crossTable?.dataObject ? { crossTable: crossTable.dataObject.value } : {}),
    ...(draft === undefined ? {} : { draft }),
    range: lines.range(relationship.name?.range ?? relationship.range),
    extent: lines.range(relationship.range),
  };
}

/** The join of a relationship in one line, such as `problem_id = sys_id`. */
export function joinLabel({ mappings, crossTable }: Relationship): string {
  const bridge = crossTable
    ? [
        ...crossTable.sourceMappings.map(({ column, operator, cross }) => `${column.value} ${operator} ${cross.value}`),
        ...crossTable.targetMappings.map(({ column, operator, cross }) => `${cross.value} ${operator} ${column.value}`),
      ]
    : [];
  return [...mappings.map(mappingLabel), ...bridge].join(' and ');
}

function mappingLabel(mapping: Mapping): string {
  if (mapping.kind === 'expression') return mapping.expression.value.replaceAll(/\s+/g, ' ').trim();
  return `${mapping.source.value} ${mapping.operator} ${mapping.target.value}`;
}
