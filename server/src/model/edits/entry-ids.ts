import { endsText } from '../../../../protocol/relationship-name.ts';
import { type EntityGraph, masterDataName, relationshipName } from '../entity-graph.ts';
import { type JsonObject, isJsonList, isJsonObject } from './json-value.ts';

/** Element ids of the canvas: activity names, or entry indexes without a unique one. */
export function elementIds(names: readonly (string | undefined)[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name, index) => {
    if (name === undefined || seen.has(name)) return `#${index}`;
    seen.add(name);
    return name;
  });
}

/** Ids of entries of `entities`: their names, or indexes without one that differs from those of elements. */
export function masterDataIds(names: readonly (string | undefined)[], elements: readonly string[]): readonly string[] {
  const seen = new Set(elements);
  return names.map((name, index) => {
    const id = name === undefined || seen.has(name) ? `entities#${index}` : name;
    seen.add(id);
    return id;
  });
}

/** The ids of the entries of a graph on the canvas, in the order of its lists. */
interface EntryIds {
  readonly elements: readonly string[];
  readonly entities: readonly string[];
  readonly relationships: readonly string[];
}

export function entryIds(graph: EntityGraph): EntryIds {
  const elements = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  return {
    elements,
    entities: masterDataIds(graph.entities.map(masterDataName), elements),
    relationships: elementIds(graph.relationships.map(relationshipName)),
  };
}

/** An entry of a list with its index. */
export interface IdentifiedEntry {
  readonly id: string;
  readonly index: number;
  readonly entry: JsonObject;
}

/** The elements of an entity graph by id. */
export function identifyElements(graph: JsonObject): readonly IdentifiedEntry[] {
  return identify(graph, 'elements', (entry) => textOf(entry['activityName']));
}

/** An element or an entry of `entities`, with the name that relationships use. */
export interface IdentifiedCard extends IdentifiedEntry {
  readonly list: 'elements' | 'entities';
  readonly name: string | undefined;
}

/** The elements, then the entries of `entities`, by id. */
export function identifyCards(graph: JsonObject): readonly IdentifiedCard[] {
  const elements = identifyElements(graph);
  const known = elements.map(({ id }) => id);
  const entries = identify(graph, 'entities', masterDataNameOf, (names) => masterDataIds(names, known));
  return [
    ...elements.map((each) => ({ ...each, list: 'elements' as const, name: textOf(each.entry['activityName']) })),
    ...entries.map((each) => ({ ...each, list: 'entities' as const, name: masterDataNameOf(each.entry) })),
  ];
}

/** The effective name of an entry of `entities`. */
export function masterDataNameOf({ name, entityType, dataObject }: JsonObject): string | undefined {
  return textOf(name) ?? textOf(entityType) ?? textOf(dataObject);
}

/** The relationships of an entity graph by id. */
export function identifyRelationships(graph: JsonObject): readonly IdentifiedEntry[] {
  return identify(graph, 'relationships', relationshipNameOf);
}

/** The effective name: explicit, or derived from the ends. */
export function relationshipNameOf(entry: JsonObject): string {
  return textOf(entry['name']) ?? endsText(textOf(entry['source']), textOf(entry['target']));
}

function identify(
  graph: JsonObject,
  key: string,
  nameOf: (entry: JsonObject) => string | undefined,
  idsOf: (names: readonly (string | undefined)[]) => readonly string[] = elementIds,
): readonly IdentifiedEntry[] {
  const list = graph[key];
  const entries = (isJsonList(list) ? list : []).flatMap((entry, index) =>
    isJsonObject(entry) ? [{ index, entry }] : [],
  );
  const ids = idsOf(entries.map(({ entry }) => nameOf(entry)));
  return entries.map(({ index, entry }, place) => ({ id: ids[place] ?? '', index, entry }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
