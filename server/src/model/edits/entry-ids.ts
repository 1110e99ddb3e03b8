import { endsText } from '../../../../protocol/relationship-name.ts';
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
): readonly IdentifiedEntry[] {
  const list = graph[key];
  const entries = (isJsonList(list) ? list : []).flatMap((entry, index) =>
    isJsonObject(entry) ? [{ index, entry }] : [],
  );
  const ids = elementIds(entries.map(({ entry }) => nameOf(entry)));
  return entries.map(({ index, entry }, place) => ({ id: ids[place] ?? '', index, entry }));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
