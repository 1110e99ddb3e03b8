import type { ElementView, GraphView, RelationshipView, UnfinishedView } from '../../../protocol/graph-view.ts';
import { elementValues, relationshipValues } from '../model/edits/dialog-values.ts';
import { elementIds } from '../model/edits/entry-ids.ts';
import { type JsonObject, isJsonObject } from '../model/edits/json-value.ts';
import {
  type Shortcoming,
  draftMessage,
  draftReason,
  unconfiguredMessage,
  unconfiguredReason,
} from '../model/configuration-state.ts';
import {
  type EntityElement,
  type Mapping,
  type PathStep,
  type Relationship,
  masterDataName,
  relationshipName,
} from '../model/entity-graph.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import { plainValue } from '../model/plain-value.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { type TimeRole, timeExpression } from '../model/time-expression.ts';
import { type Steps, toEnd } from '../model/steps.ts';

/** Converts an entity graph to the canvas view. `uri` and `version` are those of the document. */
export function toGraphView(parsed: ParsedEntityGraph, place: GraphPlace): GraphView {
  return toEnd(viewingGraph(parsed, place));
}

interface GraphPlace {
  readonly uri: string;
  readonly version: number;
}

/** The same, entry by entry. */
export function* viewingGraph(parsed: ParsedEntityGraph, { uri, version }: GraphPlace): Steps<GraphView> {
  const { graph, problems, yaml } = parsed;
  const lines = createLineIndex(yaml.text);
  const ids = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  const links = elementIds(graph.relationships.map(relationshipName));
  const byActivity = new Map<string, string | undefined>();
  for (const [index, { activityName }] of graph.elements.entries())
    if (activityName && !byActivity.has(activityName.value)) byActivity.set(activityName.value, ids[index]);
  const idOf = (activity: string | undefined): string | undefined =>
    activity === undefined ? undefined : byActivity.get(activity);
  const masterData = new Set(graph.entities.map(masterDataName));
  const elements: ElementView[] = [];
  for (const [index, element] of graph.elements.entries()) {
    const values = elementValues(plain(element, parsed));
    elements.push({ ...elementView(element, ids[index] ?? `#${index}`, lines), values });
    yield;
  }
  const relationships: RelationshipView[] = [];
  for (const [index, relationship] of graph.relationships.entries()) {
    const values = relationshipValues(plain(relationship, parsed));
    relationships.push({
      ...relationshipView(relationship, links[index] ?? `#${index}`, idOf, masterData, lines),
      values,
    });
    yield;
  }
  const [syntax] = problems;
  return {
    uri,
    version,
    name: graph.name?.value ?? '',
    ...(graph.dataSource ? { dataSource: graph.dataSource.value } : {}),
    dataObjects: graph.dataObjects.map(({ value }) => value),
    elements,
    relationships,
    ...(syntax ? { syntaxError: { message: syntax.message, range: lines.range(syntax.range) } } : {}),
  };
}

/** An entry as plain data; empty for unresolvable aliases. */
function plain(entry: EntityElement | Relationship, { originOf, yaml }: ParsedEntityGraph): JsonObject {
  const value = plainValue(originOf(entry) ?? null, yaml);
  return isJsonObject(value) ? value : {};
}

function elementView(element: EntityElement, id: string, lines: LineIndex): Omit<ElementView, 'values'> {
  const { properties, processContext } = element;
  const unconfigured = unfinished(unconfiguredMessage(element), unconfiguredReason(element));
  const context = processContext && (processContext.description ?? processContext.owner ?? '');
  return {
    id,
    ...(element.activityName ? { activityName: element.activityName.value } : {}),
    ...(element.dataObject ? { dataObject: element.dataObject.value } : {}),
    ...timeView(element, 'startTimestamp'),
    ...timeView(element, 'changeTimestamp'),
    properties: properties.kind === 'all' ? [] : properties.columns.map(({ value, name }) => name?.value ?? value),
    allProperties: properties.kind === 'all',
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(context === undefined ? {} : { processContext: context }),
    range: lines.range(element.activityName?.range ?? element.range),
    extent: lines.range(element.range),
  };
}

/** A time on a card: its column, or its SQL on one line. */
function timeView(element: EntityElement, role: TimeRole): { readonly [Role in TimeRole]?: string } {
  const computed = timeExpression(element, role);
  const text = computed ? oneLine(computed.value) : element[role]?.value;
  return text === undefined ? {} : { [role]: text };
}

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim();
}

function relationshipView(
  relationship: Relationship,
  id: string,
  idOf: (activity: string | undefined) => string | undefined,
  masterData: ReadonlySet<string | undefined>,
  lines: LineIndex,
): Omit<RelationshipView, 'values'> {
  const { source, target, crossTable } = relationship;
  const draft = unfinished(draftMessage(relationship), draftReason(relationship));
  const [from, to] = [idOf(source?.value), idOf(target?.value)];
  return {
    id,
    name: relationshipName(relationship),
    ...(from === undefined ? {} : { source: from }),
    ...(to === undefined ? {} : { target: to }),
    ...([source, target].some((end) => end && !idOf(end.value) && masterData.has(end.value)) && {
      endsAtMasterData: true as const,
    }),
    label: joinLabel(relationship),
    ...(crossTable?.dataObject ? { crossTable: crossTable.dataObject.value } : {}),
    ...(relationship.path ? { steps: relationship.path.steps.map((step) => step.relationship.value) } : {}),
    ...(draft === undefined ? {} : { draft }),
    range: lines.range(relationship.name?.range ?? relationship.range),
    extent: lines.range(relationship.range),
  };
}

function unfinished(message: string | undefined, found: Shortcoming | undefined): UnfinishedView | undefined {
  if (message === undefined || found === undefined) return undefined;
  const { problem, remedy } = found;
  return { message, problem: problem.charAt(0).toUpperCase() + problem.slice(1), remedy };
}

/** The join of a relationship on one line, such as `problem_id = sys_id`. */
export function joinLabel({ mappings, crossTable, path }: Relationship): string {
  if (path) return path.steps.map(stepLabel).join(' → ');
  const bridge = crossTable
    ? [
        ...crossTable.sourceMappings.map(({ column, operator, cross }) => `${column.value} ${operator} ${cross.value}`),
        ...crossTable.targetMappings.map(({ column, operator, cross }) => `${cross.value} ${operator} ${column.value}`),
      ]
    : [];
  return [...mappings.map(mappingLabel), ...bridge].join(' and ');
}

function stepLabel({ relationship, reverse }: PathStep): string {
  return reverse === true ? `${relationship.value} (reverse)` : relationship.value;
}

function mappingLabel(mapping: Mapping): string {
  if (mapping.kind === 'expression') return oneLine(mapping.expression.value);
  return `${mapping.source.value} ${mapping.operator} ${mapping.target.value}`;
}
