import { type Catalog, type Column, type DataObject, findDataObject } from '../catalog/catalog.ts';
import type { EntityElement } from '../model/entity-graph.ts';
import { columnDetail, columnMarkdown, objectDetail, objectMarkdown } from './catalog-text.ts';
import type { CompletionProposal, GraphKnowledge } from './complete.ts';
import type { CursorPlace } from './cursor-place.ts';
import { propertyAt } from './schema/property-docs.ts';
import { writtenName } from './written-name.ts';

/** Names and values that may stand where the cursor is, by the property that it is in. */
export function completeGraphValue(
  known: GraphKnowledge,
  place: CursorPlace,
  text: string,
): readonly CompletionProposal[] {
  const property = place.path.findLast((step) => step !== '[]') ?? '';
  const flow = inFlow(text, place.replace.start);
  const proposals = valuesOf(property, known, place);
  return proposals.map((proposal, index) => ({
    ...proposal,
    insertText: writtenName(proposal.insertText, flow),
    filterText: proposal.label,
    replace: place.replace,
    sortText: proposal.sortText ?? String(index).padStart(4, '0'),
  }));
}

type Value = Omit<CompletionProposal, 'replace'>;

function valuesOf(property: string, known: GraphKnowledge, place: CursorPlace): readonly Value[] {
  const { sources, catalog, parsed } = known;
  const [top] = place.path;
  if (property === 'dataSource' && top === property) {
    return (sources?.sources ?? []).map(({ name, kind }) => ({
      ...value(name.value, 'dataSource'),
      ...(kind ? { detail: kind.value } : {}),
    }));
  }
  if (property === 'dataObject' || property === 'dataObjects') return dataObjects(property, known);
  if (top === 'relationships' && place.path.length === 3 && (property === 'source' || property === 'target')) {
    return parsed.graph.elements.flatMap(({ activityName, dataObject }) =>
      activityName
        ? { ...value(activityName.value, 'activity'), ...(dataObject ? { detail: dataObject.value } : {}) }
        : [],
    );
  }
  const role = columnRoles[property];
  if (role && catalog && (top === 'elements' || place.path.length > 3)) {
    return columnsFor(property, role, known, place, catalog);
  }
  const docs = propertyAt('entityGraph', place.path);
  return (docs?.values ?? []).map((each) => ({
    ...value(each, property === 'operator' ? 'operator' : 'value'),
    ...(docs ? { documentation: docs.description } : {}),
  }));
}

function dataObjects(property: string, { catalog, parsed }: GraphKnowledge): readonly Value[] {
  if (!catalog) return [];
  const selected = new Set(parsed.graph.dataObjects.map((name) => name.value));
  // Elements mostly use what is selected; the selection grows by what is not.
  const wanted = (object: DataObject): number => (selected.has(object.name) === (property === 'dataObject') ? 0 : 1);
  return catalog.objects
    .toSorted((left, right) => wanted(left) - wanted(right))
    .map((object) => ({
      ...value(object.name, 'dataObject'),
      detail: objectDetail(object),
      documentation: objectMarkdown(object),
    }));
}

type ColumnRole = 'time' | 'any' | 'property' | 'sequence';

/** The properties whose values are columns, and which columns come first. */
const columnRoles: Readonly<Record<string, ColumnRole>> = {
  key: 'any',
  startTimestamp: 'time',
  changeTimestamp: 'time',
  sequence: 'sequence',
  activityColumn: 'any',
  properties: 'property',
  source: 'any',
  target: 'any',
  cross: 'any',
};

function columnsFor(
  property: string,
  role: ColumnRole,
  { parsed }: GraphKnowledge,
  place: CursorPlace,
  catalog: Catalog,
): readonly Value[] {
  const { graph } = parsed;
  const [index = 0] = place.indexes;
  const relationship = place.path[0] === 'relationships' ? graph.relationships[index] : undefined;
  const side = property === 'source' || property === 'target' ? relationship?.[property]?.value : undefined;
  const element = relationship
    ? graph.elements.find(({ activityName }) => side !== undefined && activityName?.value === side)
    : graph.elements[index];
  const written = place.siblingValues.get('dataObject');
  const name =
    property === 'cross' ? relationship?.crossTable?.dataObject?.value : (element?.dataObject?.value ?? written);
  const object = name === undefined ? undefined : findDataObject(catalog, name);
  if (!object) return [];
  const used = usedProperties(element);
  const columns = object.columns.filter((column) => role !== 'property' || !used.has(column.name));
  const all = role === 'property' && place.path.at(-1) === 'properties' ? [value('all', 'value')] : [];
  const sorted = columns.toSorted((left, right) => rank(left, role) - rank(right, role));
  return [...all, ...sorted.map(columnValue)];
}

function columnValue(column: Column): Value {
  return { ...value(column.name, 'column'), detail: columnDetail(column), documentation: columnMarkdown(column) };
}

function rank({ sense, primaryKey }: Column, role: ColumnRole): number {
  if (role === 'time') return sense === 'timestamp' ? 0 : sense === 'date' ? 1 : sense === 'text' ? 2 : 3;
  if (role === 'sequence') return sense === 'integer' ? 0 : sense === 'number' ? 1 : sense === 'timestamp' ? 2 : 3;
  return role === 'any' && primaryKey ? 0 : 1;
}

function usedProperties(element: EntityElement | undefined): ReadonlySet<string> {
  if (element?.properties.kind !== 'list') return new Set();
  return new Set(element.properties.columns.map((column) => column.value));
}

function value(name: string, kind: CompletionProposal['kind']): Value {
  return { label: name, kind, insertText: name };
}

/** Whether an offset is inside braces or brackets, where commas and brackets mean something. */
function inFlow(text: string, offset: number): boolean {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(lineStart, offset);
  const count = (pattern: RegExp): number => before.match(pattern)?.length ?? 0;
  return count(/[{[]/g) > count(/[}\]]/g);
}
