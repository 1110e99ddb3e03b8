import { type TimeRole, timeRoles } from '../../../protocol/fields/element.ts';
import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import type {
  CardView,
  ElementView,
  GraphView,
  ImportSettingsView,
  MasterDataView,
  RelationshipView,
  UnfinishedView,
} from '../../../protocol/graph-view.ts';
import { inCanvasWords } from './canvas-words.ts';
import { sqlRoles } from './sql/sql-roles.ts';
import { elementValues, masterDataValues, relationshipValues } from '../model/entry-values.ts';
import { entryIds } from '../model/edits/entry-ids.ts';
import {
  type Shortcoming,
  draftMessage,
  draftReason,
  masterDataMessage,
  masterDataShortcoming,
  missingOfElement,
  unconfiguredMessage,
  unconfiguredReason,
} from '../model/configuration-state.ts';
import {
  type CrossTable,
  type EntityElement,
  type EntityGraph,
  type EntitySource,
  type Mapping,
  type MasterData,
  type PathStep,
  type Relationship,
  type SelectedObject,
  elementEntityType,
  masterDataName,
  relationshipName,
} from '../model/entity-graph.ts';
import { dataSourceNamed, dataSourcesNamed } from '../model/data-sources-used.ts';
import { type LineIndex, createLineIndex } from '../model/line-index.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';
import { timeExpression } from '../model/time-expression.ts';
import { type Steps, toEnd } from '../model/steps.ts';

/** Converts an entity graph to the canvas view. `uri` and `version` are those of the document. */
export function toGraphView(parsed: ParsedEntityGraph, place: GraphPlace): GraphView {
  return toEnd(viewingGraph(parsed, place));
}

interface GraphPlace {
  readonly uri: string;
  readonly version: number;
}

/** Converts an entity graph entry by entry. */
export function* viewingGraph(parsed: ParsedEntityGraph, { uri, version }: GraphPlace): Steps<GraphView> {
  const { graph, problems, yaml } = parsed;
  const lines = createLineIndex(yaml.text);
  const ids = entryIds(graph);
  const masterDataNames = graph.entities.map(masterDataName);
  const byName = new Map<string, string | undefined>();
  const addName = (name: string | undefined, id: string | undefined): void => {
    if (name !== undefined && !byName.has(name)) byName.set(name, id);
  };
  for (const [index, { activityName }] of graph.elements.entries()) addName(activityName?.value, ids.elements[index]);
  for (const [index, name] of masterDataNames.entries()) addName(name, ids.entities[index]);
  const idOf = (name: string | undefined): string | undefined => (name === undefined ? undefined : byName.get(name));
  const sourceOf = dataSourceShown(graph);
  const elements: CardView[] = [];
  for (const [index, element] of graph.elements.entries()) {
    const values = elementValues(element);
    elements.push({ ...elementView(element, ids.elements[index] ?? `#${index}`, lines), ...sourceOf(element), values });
    yield;
  }
  for (const [index, entry] of graph.entities.entries()) {
    const values = masterDataValues(entry);
    const id = ids.entities[index] ?? `entities#${index}`;
    elements.push({ ...masterDataView(entry, id, lines), ...sourceOf(entry), values });
    yield;
  }
  const relationships: RelationshipView[] = [];
  for (const [index, relationship] of graph.relationships.entries()) {
    const values = relationshipValues(relationship);
    const { dataSource: crossTableSource } = relationship.crossTable ? sourceOf(relationship.crossTable) : {};
    relationships.push({
      ...relationshipView(relationship, ids.relationships[index] ?? `#${index}`, idOf, lines),
      ...(crossTableSource === undefined ? {} : { crossTableSource }),
      values,
    });
    yield;
  }
  const [syntax] = problems;
  const dataSources = dataSourcesNamed(graph);
  return {
    uri,
    version,
    name: graph.name?.value ?? '',
    ...(graph.dataSource ? { dataSource: graph.dataSource.value } : {}),
    ...(dataSources.length > 1 ? { dataSources } : {}),
    dataObjects: graph.dataObjects.map((object) => selectedName(graph, object)),
    elements,
    relationships,
    importSettings: importSettingsView(graph, lines),
    ...(syntax ? { syntaxError: { message: syntax.message, range: lines.range(syntax.range) } } : {}),
  };
}

function selectedName(graph: EntityGraph, object: SelectedObject): DataObjectName {
  const dataSource = dataSourceNamed(graph, object);
  const isOther = dataSource !== undefined && dataSource !== graph.dataSource?.value;
  return { name: object.value, ...(isOther ? { dataSource } : {}) };
}

function importSettingsView({ import: settings, range }: EntityGraph, lines: LineIndex): ImportSettingsView {
  const { engine, catalog, schema } = settings;
  const place = settings.range ?? { start: range.end, end: range.end };
  return {
    engine,
    ...(catalog && { catalog: catalog.value }),
    ...(schema && { schema: schema.value }),
    range: lines.range(place),
  };
}

/** The data source of an entry, in a graph of several. */
function dataSourceShown(graph: EntityGraph): (entry: EntitySource | CrossTable) => { readonly dataSource?: string } {
  const isOneOfSeveral = dataSourcesNamed(graph).length > 1;
  return (entry) => {
    const dataSource = isOneOfSeveral ? dataSourceNamed(graph, entry) : undefined;
    return dataSource === undefined ? {} : { dataSource };
  };
}

function elementView(element: EntityElement, id: string, lines: LineIndex): Omit<ElementView, 'values'> {
  const missing = unfinished(unconfiguredMessage(element), unconfiguredReason(element));
  const unconfigured = missing && { ...missing, remedy: remedyOf(missingOfElement(element)) };
  return {
    ...sourceView(element, id, unconfigured, lines),
    ...(element.activityName ? { activityName: element.activityName.value } : {}),
    ...timesView(element),
    range: lines.range(element.activityName?.range ?? element.range),
  };
}

function masterDataView(entry: MasterData, id: string, lines: LineIndex): Omit<MasterDataView, 'values'> {
  const missing = unfinished(masterDataMessage(entry), masterDataShortcoming(entry));
  const unconfigured = missing && { ...missing, remedy: 'Configure the master data to set it.' };
  const [name, entityType] = [masterDataName(entry), elementEntityType(entry)];
  return {
    ...sourceView(entry, id, unconfigured, lines),
    isMasterData: true,
    ...(name === undefined ? {} : { name }),
    ...(entityType === undefined ? {} : { entityType }),
    ...(entry.key ? { key: entry.key.map(({ value }) => value) } : {}),
    range: lines.range(entry.name?.range ?? entry.entityType?.range ?? entry.range),
  };
}

function sourceView(
  { dataObject, properties, processContext, range }: EntitySource,
  id: string,
  unconfigured: UnfinishedView | undefined,
  lines: LineIndex,
) {
  const context = processContext && ((processContext.description ?? processContext.owner)?.value ?? '');
  return {
    id,
    ...(dataObject ? { dataObject: dataObject.value } : {}),
    properties: properties.kind === 'all' ? [] : properties.columns.map(({ value, name }) => name?.value ?? value),
    allProperties: properties.kind === 'all',
    ...(unconfigured === undefined ? {} : { unconfigured }),
    ...(context === undefined ? {} : { processContext: context }),
    extent: lines.range(range),
  };
}

/** The action on the canvas that completes an element. */
function remedyOf(missing: ReturnType<typeof missingOfElement>): string {
  if (missing.length > 1) return 'Configure the element to set them.';
  if (missing[0]?.key === 'startTimestamp') return 'Choose the column that marks when a record enters this activity.';
  return 'Configure the element to set it.';
}

/** A time on a card: its column, or of SQL the columns that it computes the time from. */
function timesView(element: EntityElement): { readonly [Role in TimeRole]?: string } {
  return Object.fromEntries(
    timeRoles.flatMap((role) => {
      const computed = timeExpression(element, role);
      const text = computed ? computedText(computed.value) : element[role]?.value;
      return text === undefined ? [] : [[role, text]];
    }),
  );
}

/** Short SQL has room on a card. */
const shortSql = 16;

/** Such as `ƒ(day, hour)`: a card has room for the beginning of longer SQL only, which seldom names a column. */
function computedText(sql: string): string {
  if (oneLine(sql).length <= shortSql) return oneLine(sql);
  const columns = sqlRoles(sql).flatMap(({ role, text }) => (role === 'column' ? [text] : []));
  return columns.length === 0 ? oneLine(sql) : `ƒ(${[...new Set(columns)].join(', ')})`;
}

function oneLine(sql: string): string {
  return sql.replaceAll(/\s+/g, ' ').trim();
}

function relationshipView(
  relationship: Relationship,
  id: string,
  idOf: (name: string | undefined) => string | undefined,
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
  return { message, problem: problem.charAt(0).toUpperCase() + problem.slice(1), remedy: inCanvasWords(remedy) };
}

/** The join of a relationship on one line, such as `problem_id = sys_id`. */
function joinLabel({ mappings, crossTable, path }: Relationship): string {
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
