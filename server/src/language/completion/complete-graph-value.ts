import type { Column, DataObject, Catalog, ColumnSense } from '../../catalog/catalog.ts';
import {
  type EntityGraph,
  type MappingOperator,
  elementEntityType,
  masterDataName,
  namesOfActivities,
  relationshipName,
  mappingOperators,
} from '../../model/entity-graph.ts';
import { timeZones } from '../../model/time-zones.ts';
import { fieldOfEntry } from '../../model/entry-columns.ts';
import { columnDetail, columnMarkdown, objectDetail, objectMarkdown } from '../describe-catalog.ts';
import {
  type ColumnScope,
  type NamedColumn,
  columnScope,
  isColumnPlace,
  findInScope,
  scopeOf,
} from '../column-scope.ts';
import type { KnownPlace } from './completion-proposal.ts';
import { cursorMark } from '../cursor/repairs.ts';
import { dataSourceNamed } from '../../model/data-sources-used.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { namesSourceAt } from '../names-source-at.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { entityTypesOf, relatedToEntity } from '../../model/related-types.ts';
import { entriesOf, knownProperties } from '../checks/measures.ts';
import { prose } from '../markdown.ts';
import { fieldAt } from '../schema/field-docs.ts';
import { countFields, durationFields } from '../../model/measure.ts';
import { type FieldTable, expectationFields, subjectFields } from '../../model/process-rule.ts';
import type { ProposedValue } from './written-value.ts';
import type { GraphContext } from '../graph-context.ts';

/** Context at the cursor; `graph` is parsed from the repaired text. */
interface ValueKnowledge extends GraphContext {
  readonly graph: EntityGraph;
}

/** Names and values for the field at the cursor. */
export function completeGraphValue(known: ValueKnowledge, place: KnownPlace): readonly ProposedValue[] {
  const { sources, catalog, graph } = known;
  const field = place.path.findLast((step) => step !== '[]') ?? '';
  const [top] = place.path;
  const inList =
    (field === 'dataObjects' || field === 'objects' || field === 'properties') && place.path.at(-1) !== '[]';
  if (field === 'dataSource' || (field === 'source' && top === 'dataObjects')) {
    return (sources?.sources ?? []).map(({ name, kind }) => ({
      ...proposal(name.value, 'dataSource'),
      ...(kind ? { detail: kind.value } : {}),
    }));
  }
  if (takesDataObject(field, place)) {
    return dataObjects(field, known, place).map((value) => ({ ...value, inList }));
  }
  if (top === 'relationships' && place.path.length === 3 && (field === 'source' || field === 'target')) {
    return [...activities(graph), ...masterData(graph)];
  }
  if (top === 'relationships' && (field === 'path' || field === 'relationship')) {
    const own = place.indexes[0];
    const names = graph.relationships.filter((_, index) => index !== own).map(relationshipName);
    const inPath = field === 'path' && place.path.at(-1) !== '[]';
    return [...new Set(names)].filter(isWhole).map((name) => ({ ...proposal(name, 'value'), inList: inPath }));
  }
  const inRule = typeInRule(field, place);
  if (inRule === 'activity') return [...activities(graph), ...renamedActivities(graph)];
  if (field === 'businessRules') {
    const inBrackets = place.path.at(-1) !== '[]';
    return graph.rules.flatMap(({ name }) => (name ? [{ ...proposal(name.value, 'value'), inList: inBrackets }] : []));
  }
  if ((top === 'rules' || top === 'measures') && field === 'calendar')
    return graph.calendars.map(({ name }) => proposal(name.value, 'value'));
  if (top === 'elements' && place.path[2] === 'activityNames')
    return [...activities(graph), ...renamedActivities(graph)];
  if (top === 'accepted' && field === 'element') return activities(graph);
  if (top === 'accepted' && field === 'column') return acceptedColumns(known, place);
  if (top === 'guards' && field === 'element') return [...activities(graph), ...masterData(graph)];
  const takesZone = top === 'calendars' || top === 'elements' || top === 'entities';
  if (takesZone && field === 'timeZone') return [...timeZones].map((zone) => proposal(zone, 'value'));
  if (top === 'measures' && (field === 'value' || field === 'by')) {
    const inBrackets = field === 'by' && place.path.at(-1) !== '[]';
    const names = [...(knownProperties(graph, catalog) ?? [])].filter(isWhole);
    const related = field === 'by' ? relatedProperties(graph, place.indexes[0] ?? -1, catalog) : [];
    return [...names, ...related].map((name) => ({ ...proposal(name, 'column'), inList: inBrackets }));
  }
  if (inRule === 'duration' || (top === 'measures' && place.path[2] === 'target' && isLimit(field))) {
    const business = graph.calendars.length > 0 ? businessDurations : [];
    return [...usualDurations, ...business].map((duration) => proposal(duration, 'value'));
  }
  if (inRule === 'relationship' || (top === 'guards' && field === 'relationship')) {
    return [...new Set(graph.relationships.map(relationshipName))].map((name) => proposal(name, 'value'));
  }
  if (field === 'entityType' || inRule === 'entityType') {
    const { broken = [] } = known.parsed.yaml;
    // Unreadable text may have swallowed neighbouring entries.
    const correlated = graph.elements.flatMap(({ correlatesWith = [] }) => correlatesWith);
    const readable = [...graph.elements, ...graph.entities, ...correlated].filter(
      ({ range }) => !broken.some(({ start, end }) => start < range.end && range.start < end),
    );
    const types = readable
      .flatMap((source) => ('dataObject' in source ? elementEntityType(source) : source.entityType?.value) ?? [])
      .filter(isWhole);
    return [...new Set(types)].map((type) => proposal(type, 'value'));
  }
  const scope = catalog && columnScope(graph, place, catalog);
  const docs = fieldAt('entityGraph', place);
  const fitting: readonly unknown[] | undefined =
    field === 'operator' && catalog ? fittingOperators(graph, place, catalog) : undefined;
  const possible = (docs?.values ?? []).filter((value) => fitting?.includes(value) ?? true);
  const values = possible.map((value) => ({
    ...proposal(value, field === 'operator' ? 'operator' : 'value'),
    ...(docs ? { documentation: prose(docs.description) } : {}),
  }));
  // The column in an object is ranked like one in its place.
  const purpose = field === 'column' ? (place.path[2] ?? field) : field;
  return [...values, ...(scope ? columns(purpose, scope, inList) : [])];
}

/** Properties of the one related entity of a type, such as `customer.region`. @param index of the measure */
function relatedProperties(graph: EntityGraph, index: number, catalog: ValueKnowledge['catalog']): readonly string[] {
  const measured = graph.measures[index]?.each?.entityType?.value;
  if (measured === undefined) return [];
  const { identifiers } = duckdb;
  const written = (name: string): string => (identifiers.isBare(name) ? name : identifiers.quote(name));
  const types = [...entityTypesOf(graph)].filter((type) => relatedToEntity(measured, type, graph) === 'one');
  return types.flatMap((type) =>
    [...(knownProperties(entriesOf(type, graph), catalog) ?? [])].map((name) => `${written(type)}.${written(name)}`),
  );
}

function isLimit(field: string): boolean {
  return field === 'atLeast' || field === 'atMost';
}

/** The fields of the parts of rules and measures. */
const partsOf: Readonly<Record<string, Readonly<Record<string, FieldTable>>>> = {
  rules: { each: subjectFields, expect: expectationFields },
  measures: { each: subjectFields, duration: durationFields, count: countFields },
};

/** The type of a field of a part of a rule or a measure. */
function typeInRule(field: string, { path: [top, , part] }: KnownPlace): string | undefined {
  const parts: Readonly<Record<string, FieldTable>> = (top && partsOf[top]) || {};
  const fields = (part !== undefined && parts[part]) || {};
  return Object.entries<readonly string[]>(fields).find(([, names]) => names.includes(field))?.[0];
}

/** One of each unit, to be changed. */
const usualDurations = ['1h', '1d', '5d', '2w', '30d', '30min', '30s'] as const;
/** Days and hours of a calendar. */
const businessDurations = ['2bd', '8bh'] as const;

/** Whether the field at the cursor takes a table or column of the source. */
export function isNameOfSource(place: KnownPlace): boolean {
  const field = place.path.findLast((step) => step !== '[]');
  return takesDataObject(field, place) || isColumnPlace(place);
}

function takesDataObject(field: string | undefined, { path: [top] }: KnownPlace): boolean {
  return field === 'dataObject' || field === 'dataObjects' || (field === 'objects' && top === 'dataObjects');
}

function dataObjects(
  field: string,
  { catalog: all, graph }: ValueKnowledge,
  place: KnownPlace,
): readonly ProposedValue[] {
  const namesSource = namesSourceAt(graph, place);
  const source = dataSourceNamed(graph, namesSource);
  const selected = graph.dataObjects
    .filter((object) => dataSourceNamed(graph, object) === source)
    .map((name) => name.value)
    .filter(isWhole);
  const catalog = all && catalogOf(all, namesSource);
  if (!catalog) return field === 'dataObject' ? selected.map((name) => proposal(name, 'dataObject')) : [];
  const isSelected = new Set(selected);
  // Elements usually use selected objects; the others are offered after them.
  const wanted = (object: DataObject): number => (isSelected.has(object.name) === (field === 'dataObject') ? 0 : 1);
  return catalog.objects
    .toSorted((left, right) => wanted(left) - wanted(right))
    .map((object) => ({
      ...proposal(object.name, 'dataObject'),
      detail: objectDetail(object),
      documentation: objectMarkdown(object),
    }));
}

/** A plain loop, for thousands of objects. */
function activities({ elements }: EntityGraph): readonly ProposedValue[] {
  const proposals: ProposedValue[] = [];
  for (const { activityName, dataObject } of elements) {
    if (!activityName) continue;
    const { value } = activityName;
    proposals.push(
      dataObject
        ? { label: value, kind: 'activity', value, detail: dataObject.value }
        : { label: value, kind: 'activity', value },
    );
  }
  return proposals;
}

/** At a key of `activityNames`: the texts of the activity column that are known and have no name yet. */
export function activityTexts(
  { graph, catalog }: ValueKnowledge,
  place: KnownPlace,
): readonly ProposedValue[] | undefined {
  const { path, indexes } = place;
  if (path[0] !== 'elements' || path.at(-1) !== 'activityNames' || place.in !== 'key') return undefined;
  const element = graph.elements[indexes[0] ?? -1];
  const name = element?.activityColumn?.value;
  const column = name !== undefined && catalog ? findInScope(scopeOf(element, catalog), name) : undefined;
  const texts = [...(column?.values ?? []).map(({ value }) => value), ...(column?.samples ?? [])];
  const named = new Set(place.siblings);
  return [...new Set(texts)].filter((text) => isWhole(text) && !named.has(text)).map((text) => proposal(text, 'value'));
}

/** The columns of the element that an entry of `accepted` names. */
function acceptedColumns({ graph, catalog }: ValueKnowledge, { indexes }: KnownPlace): readonly ProposedValue[] {
  const name = graph.accepted[indexes[0] ?? -1]?.element?.value;
  const element = graph.elements.find(({ activityName }) => activityName?.value === name);
  return element && catalog ? scopeOf(element, catalog).columns.map(columnProposal) : [];
}

/** The names that `activityNames` give to texts of columns. */
function renamedActivities({ elements }: EntityGraph): readonly ProposedValue[] {
  const named = new Set(elements.flatMap(({ activityName }) => activityName?.value ?? []));
  const renamed = elements.flatMap((element) => namesOfActivities(element).map(({ value }) => value));
  return [...new Set(renamed)]
    .filter((name) => isWhole(name) && !named.has(name))
    .map((name) => proposal(name, 'activity'));
}

function masterData({ entities }: EntityGraph): readonly ProposedValue[] {
  return entities.flatMap((entry) => {
    const name = masterDataName(entry);
    if (name === undefined) return [];
    return { ...proposal(name, 'activity'), ...(entry.dataObject && { detail: entry.dataObject.value }) };
  });
}

function columns(field: string, { element, columns }: ColumnScope, inList: boolean): readonly ProposedValue[] {
  const listed = field === 'key' ? element?.key : field === 'properties' ? listedProperties(element) : undefined;
  const used = new Set(listed?.map(({ value }) => value));
  return columns
    .filter(({ name }) => !used.has(name))
    .toSorted((left, right) => rank(left.column, field) - rank(right.column, field))
    .map((column) => ({ ...columnProposal(column), inList }));
}

function columnProposal({ name, column }: NamedColumn): ProposedValue {
  return { ...proposal(name, 'column'), detail: columnDetail(column), documentation: columnMarkdown(column) };
}

/** Ranks columns by the purpose of the field. */
function rank({ sense, primaryKey }: Column, field: string): number {
  const { type, counts } = fieldOfEntry('elements', field) ?? fieldOfEntry('entities', field) ?? {};
  if (type === 'time') return sense === 'timestamp' ? 0 : sense === 'date' ? 1 : sense === 'text' ? 2 : 3;
  if (counts === 'value') return sense === 'integer' ? 0 : sense === 'number' ? 1 : sense === 'timestamp' ? 2 : 3;
  if (counts === 'text') return sense === 'text' ? 0 : 1;
  return type === 'properties' || primaryKey ? 0 : 1;
}

function listedProperties(element: ColumnScope['element']) {
  return element?.properties.kind === 'list' ? element.properties.columns : undefined;
}

function proposal(value: string | number | boolean, kind: ProposedValue['kind']): ProposedValue {
  return { label: String(value), kind, value };
}

/** Excludes the value being typed. */
function isWhole(name: string): boolean {
  return !name.includes(cursorMark);
}

/** Types without a useful order. */
const unordered: ReadonlySet<ColumnSense> = new Set(['boolean', 'json', 'binary']);

/** The operators valid for both columns of a mapping; all of them while a type is unknown. */
function fittingOperators(graph: EntityGraph, place: KnownPlace, catalog: Catalog): readonly MappingOperator[] {
  const mapping = mappingAt(place);
  const list = place.path.slice(0, -1);
  const columns = ['source', 'target', 'cross'].flatMap((side): Column[] => {
    const name = mapping?.[side];
    const scope = columnScope(graph, { path: [...list, side], indexes: place.indexes }, catalog);
    const column = scope && typeof name === 'string' ? findInScope(scope, name) : undefined;
    return column ? [column] : [];
  });
  if (columns.length < 2) return mappingOperators;
  const all = (holds: (sense: ColumnSense) => boolean): boolean => columns.every(({ sense }) => holds(sense));
  return mappingOperators.filter((operator) => {
    if (operator === '=' || operator === '!=') return true;
    if (operator === 'like' || operator === 'not like') return all((sense) => sense === 'text');
    return all((sense) => !unordered.has(sense));
  });
}

/** The mapping as plain data. A partial text contains one entry only, which then is the first. */
function mappingAt({ data, path, indexes }: KnownPlace): Readonly<Record<string, unknown>> | undefined {
  const [relationship = 0, mapping = 0] = indexes;
  const entries = child(data, 'relationships');
  const entry = child(entries, relationship) ?? child(entries, 0);
  const within = path.slice(2, -2).reduce<unknown>((value, step) => child(value, step), entry);
  return child(within, mapping) as Readonly<Record<string, unknown>> | undefined;
}

function child(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
}
