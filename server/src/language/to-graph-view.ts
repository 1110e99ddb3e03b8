import type { ElementView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { draftMessage, unconfiguredMessage } from '../model/configuration-state.ts';
import { type EntityElement, type Mapping, type Relationship, relationshipName } from '../model/entity-graph.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** The picture of an entity graph, as the canvas draws it. `uri` and `version` are those of the document. */
export function toGraphView(
  parsed: ParsedEntityGraph,
  { uri, version }: { readonly uri: string; readonly version: number },
): GraphView {
  const { graph, problems, yaml } = parsed;
  const lines = createLineIndex(yaml.text);
  const ids = elementIds(graph.elements);
  const idOf = (activity: string | undefined): string | undefined =>
    ids[graph.elements.findIndex(({ activityName }) => activity !== undefined && activityName?.value === activity)];
  const [syntax] = problems;
  return {
    uri,
    version,
    name: graph.name?.value ?? '',
    ...(graph.dataSource ? { dataSource: graph.dataSource.value } : {}),
    elements: graph.elements.map((element, index) => elementView(element, ids[index] ?? `#${index}`, lines)),
    relationships: graph.relationships.map((relationship) => relationshipView(relationship, idOf, lines)),
    ...(syntax ? { syntaxError: { message: syntax.message, range: lines.range(syntax.range) } } : {}),
  };
}

/** Activity names, which stay while the text around them changes; the place in the file where there is none of its own. */
function elementIds(elements: readonly EntityElement[]): readonly string[] {
  const seen = new Set<string>();
  return elements.map(({ activityName, index }) => {
    const name = activityName?.value;
    if (name === undefined || seen.has(name)) return `#${index}`;
    seen.add(name);
    return name;
  });
}

function elementView(element: EntityElement, id: string, lines: LineIndex): ElementView {
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
  };
}

function relationshipView(
  relationship: Relationship,
  idOf: (activity: string | undefined) => string | undefined,
  lines: LineIndex,
): RelationshipView {
  const { source, target, crossTable, index } = relationship;
  const draft = draftMessage(relationship);
  const [from, to] = [idOf(source?.value), idOf(target?.value)];
  return {
    id: `relationship ${index}`,
    name: relationshipName(relationship),
    ...(from === undefined ? {} : { source: from }),
    ...(to === undefined ? {} : { target: to }),
    label: joinLabel(relationship),
    ...(crossTable?.dataObject ? { crossTable: crossTable.dataObject.value } : {}),
    ...(draft === undefined ? {} : { draft }),
    range: lines.range(relationship.name?.range ?? relationship.range),
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
