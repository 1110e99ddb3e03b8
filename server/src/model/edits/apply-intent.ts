import type { CanvasIntent } from '../../../../protocol/canvas-intents.ts';
import { addElement, configureElement, duplicateElement } from './element-intents.ts';
import { identifyElements, identifyRelationships } from './entry-ids.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { type JsonObject, isJsonList, isJsonObject } from './json-value.ts';
import { addRelationship, configureRelationship } from './relationship-intents.ts';

/** Applies what a person did on the canvas to the meaning of a file. Pure; writes no text. */
export function applyIntent(graph: JsonObject, intent: CanvasIntent): IntentOutcome {
  switch (intent.kind) {
    case 'selectDataObjects':
      return selectDataObjects(graph, intent.dataObjects);
    case 'addElement':
      return addElement(graph, intent.dataObject);
    case 'configureElement':
      return configureElement(graph, intent.element, intent.values);
    case 'duplicateElement':
      return duplicateElement(graph, intent.element);
    case 'addRelationship':
      return addRelationship(graph, intent.source, intent.target, intent.mappings ?? []);
    case 'configureRelationship':
      return configureRelationship(graph, intent.relationship, intent.values);
    case 'remove':
      return removeEntries(graph, intent.elements, intent.relationships);
  }
}

/** Elements go with the data object that is taken out, relationships with an end or the cross table. */
function selectDataObjects(graph: JsonObject, dataObjects: readonly string[]): IntentOutcome {
  const before = graph['dataObjects'];
  const removed = new Set(isJsonList(before) ? before.filter((name) => !dataObjects.includes(String(name))) : []);
  const next = { ...graph, dataObjects: [...new Set(dataObjects)] };
  const elements = identifyElements(graph).filter(({ entry }) => removed.has(entry['dataObject'] ?? null));
  const relationships = identifyRelationships(graph).filter(
    ({ entry }) => isJsonObject(entry['crossTable']) && removed.has(entry['crossTable']['dataObject'] ?? null),
  );
  return removeEntries(
    next,
    elements.map(({ id }) => id),
    relationships.map(({ id }) => id),
  );
}

/** What is gone already is no obstacle: somebody else removed it. */
function removeEntries(
  graph: JsonObject,
  elements: readonly string[],
  relationships: readonly string[],
): IntentOutcome {
  const known = identifyElements(graph);
  const gone = new Set(known.filter(({ id }) => elements.includes(id)).map(({ index }) => index));
  const names = new Set<unknown>(
    known.filter(({ id, entry }) => elements.includes(id) && entry['activityName'] === id).map(({ id }) => id),
  );
  const goneLinks = new Set(
    identifyRelationships(graph)
      .filter(({ id, entry }) => relationships.includes(id) || names.has(entry['source']) || names.has(entry['target']))
      .map(({ index }) => index),
  );
  const without = (key: 'elements' | 'relationships', places: ReadonlySet<number>): JsonObject => {
    const list = graph[key];
    if (!isJsonList(list) || places.size === 0) return {};
    return { [key]: list.filter((_, index) => !places.has(index)) };
  };
  return { graph: { ...graph, ...without('elements', gone), ...without('relationships', goneLinks) } };
}
