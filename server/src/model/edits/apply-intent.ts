import type { AcceptedFinding, FixedElement } from '../../../../protocol/findings.ts';
import type { DataObjectName } from '../../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import type { SuggestedRule } from '../../../../protocol/rule-suggestions.ts';
import { type Dependencies, type Removal, keyOfObject, removedWith } from '../../../../protocol/removal.ts';
import { pathStepValues } from './dialog-values.ts';
import { addElement, configureElement, duplicateElement, listOf, patched } from './element-intents.ts';
import {
  type IdentifiedCard,
  type IdentifiedEntry,
  identifyCards,
  identifyElements,
  identifyRelationships,
} from './entry-ids.ts';
import { addGraphEntry, removeGraphEntry, setGraphText } from './graph-part-intents.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';
import { addMasterData, configureMasterData } from './master-data-intents.ts';
import { addRelationship, configureRelationship } from './relationship-intents.ts';

/** Applies a canvas intent to the data of a file. Pure; writes no text. */
export function applyIntent(graph: JsonObject, intent: CanvasIntent): IntentOutcome {
  switch (intent.kind) {
    case 'selectDataObjects':
      return selectDataObjects(graph, intent.dataObjects);
    case 'addElement':
      return addElement(graph, intent);
    case 'configureElement':
      return configureElement(graph, intent.element, intent.values);
    case 'configureElements':
      return configureElements(graph, intent.elements);
    case 'addMasterData':
      return intent.inPlaceOf === undefined
        ? addMasterData(graph, intent)
        : addMasterData(removedFrom(graph, { elements: [intent.inPlaceOf] }), intent);
    case 'configureMasterData':
      return configureMasterData(graph, intent.entry, intent.values);
    case 'duplicateElement':
      return duplicateElement(graph, intent.element);
    case 'addRelationship':
      return addRelationship(graph, intent.source, intent.target, intent.mappings ?? []);
    case 'configureRelationship':
      return configureRelationship(graph, intent.relationship, intent.values);
    case 'setGraphText':
      return setGraphText(graph, intent.field, intent.text);
    case 'addGraphEntry':
      return addGraphEntry(graph, intent.list);
    case 'removeGraphEntry':
      return removeGraphEntry(graph, intent.list, intent.index);
    case 'addRules':
      return addRules(graph, intent.rules);
    case 'acceptFinding':
      return acceptFinding(graph, intent);
    case 'remove':
      return removeEntries(withoutCorrelations(graph, intent.correlations ?? []), intent);
  }
}

function configureElements(graph: JsonObject, elements: readonly FixedElement[]): IntentOutcome {
  return elements.reduce<IntentOutcome>(
    (made, { element, values }) => ('refusal' in made ? made : configureElement(made.graph, element, values)),
    { graph },
  );
}

function addRules(graph: JsonObject, added: readonly SuggestedRule[]): IntentOutcome {
  const before = graph['rules'] ?? [];
  if (!isJsonList(before)) return { refusal: 'The value of "rules" is not a list. Correct it first.' };
  const rules = added.map(({ name, each, expect, atLeast }): JsonObject => ({
    name,
    each: { ...each },
    expect: expect.map((entry) => ({ ...entry })),
    ...(atLeast === undefined ? {} : { atLeast }),
  }));
  return { graph: { ...graph, rules: [...before, ...rules] } };
}

function acceptFinding(graph: JsonObject, { finding, element, column, reason }: AcceptedFinding): IntentOutcome {
  const before = graph['accepted'] ?? [];
  if (!isJsonList(before)) return { refusal: 'The value of "accepted" is not a list. Correct it first.' };
  const entry = {
    finding,
    ...(element === undefined ? {} : { element }),
    ...(column === undefined ? {} : { column }),
    ...(reason === undefined || reason.trim() === '' ? {} : { reason: reason.trim() }),
  };
  return { graph: { ...graph, accepted: [...before, entry] } };
}

/** Plain entries are of the data source of the file; objects of others stand in groups, one for each new data source. */
function selectDataObjects(graph: JsonObject, dataObjects: readonly DataObjectName[]): IntentOutcome {
  const entries = listOf(graph, 'dataObjects');
  const wanted = new Map(dataObjects.map((object) => [keyOfObject(object), object]));
  const before = entries.flatMap((entry) => objectsIn(graph, entry));
  const removed = before.filter((object) => !wanted.has(keyOfObject(object)));
  const groups = entries.flatMap((entry): readonly JsonObject[] => {
    const objects = isJsonObject(entry) && isJsonList(entry['objects']) ? entry['objects'] : undefined;
    if (!isJsonObject(entry) || !objects) return [];
    const left = objects.filter((_, index) => {
      const object = objectsIn(graph, entry)[index];
      return object !== undefined && wanted.has(keyOfObject(object));
    });
    return left.length > 0 ? [{ ...entry, objects: left }] : [];
  });
  const grouped = new Set(groups.flatMap((entry) => objectsIn(graph, entry)).map(keyOfObject));
  const plain: string[] = [];
  for (const { name, dataSource } of [...wanted.values()].filter((object) => !grouped.has(keyOfObject(object)))) {
    const at = groups.findIndex((group) => dataSource !== undefined && textOf(group['source']) === dataSource);
    const group = groups[at];
    if (dataSource === undefined) plain.push(name);
    else if (group) groups[at] = { ...group, objects: [...listOf(group, 'objects'), name] };
    else groups.push({ source: dataSource, objects: [name] });
  }
  return removeEntries({ ...graph, dataObjects: [...plain, ...groups] }, { dataObjects: removed });
}

/** The data objects of a plain entry of `dataObjects`, or of a group. */
function objectsIn(graph: JsonObject, entry: JsonValue): readonly DataObjectName[] {
  if (!isJsonObject(entry)) return [{ name: String(entry) }];
  return listOf(entry, 'objects').map((name) => objectName(graph, String(name), entry['source']));
}

function objectName(graph: JsonObject, name: string, source: JsonValue | undefined): DataObjectName {
  const dataSource = textOf(source);
  return dataSource === undefined || dataSource === textOf(graph['dataSource']) ? { name } : { name, dataSource };
}

/** Row correlations removed meanwhile are ignored. */
function withoutCorrelations(
  graph: JsonObject,
  removed: readonly { readonly element: string; readonly index: number }[],
): JsonObject {
  if (removed.length === 0) return graph;
  const elements = identifyElements(graph).reduce(
    (list, { id, index, entry }) => {
      const gone = new Set(removed.filter(({ element }) => element === id).map((row) => row.index));
      if (gone.size === 0) return list;
      const rows = listOf(entry, 'correlatesWith').filter((_, at) => !gone.has(at));
      return list.with(index, patched(entry, { correlatesWith: rows.length === 0 ? null : rows }));
    },
    listOf(graph, 'elements'),
  );
  return { ...graph, elements };
}

/** Entries removed meanwhile are ignored. */
function removeEntries(graph: JsonObject, removal: Removal): IntentOutcome {
  return { graph: removedFrom(graph, removal) };
}

function removedFrom(graph: JsonObject, removal: Removal): JsonObject {
  const cards = identifyCards(graph);
  const relationships = identifyRelationships(graph);
  const gone = removedWith(dependenciesOf(graph, cards, relationships), removal);
  const cardsOf = (list: IdentifiedCard['list']) => cards.filter((card) => card.list === list);
  const without = (
    key: 'elements' | 'entities' | 'relationships',
    known: readonly IdentifiedEntry[],
    ids: ReadonlySet<string>,
  ): JsonObject => {
    const list = graph[key];
    const places = new Set(known.filter(({ id }) => ids.has(id)).map(({ index }) => index));
    if (!isJsonList(list) || places.size === 0) return {};
    return { [key]: list.filter((_, index) => !places.has(index)) };
  };
  return {
    ...graph,
    ...without('elements', cardsOf('elements'), gone.elements),
    ...without('entities', cardsOf('entities'), gone.elements),
    ...without('relationships', relationships, gone.relationships),
  };
}

function dependenciesOf(
  graph: JsonObject,
  cards: readonly IdentifiedCard[],
  relationships: readonly IdentifiedEntry[],
): Dependencies {
  const objectOf = (entry: JsonObject): DataObjectName | undefined => {
    const name = textOf(entry['dataObject']);
    return name === undefined ? undefined : objectName(graph, name, entry['dataSource']);
  };
  // The id of a card is its name if it is the first with that name.
  const named = new Set(cards.filter(({ id, name }) => name === id).map(({ id }) => id));
  const endOf = (name: JsonValue | undefined): string | undefined =>
    typeof name === 'string' && named.has(name) ? name : undefined;
  return {
    elements: cards.map(({ id, entry }) => ({ id, dataObject: objectOf(entry) })),
    relationships: relationships.map(({ id, entry }) => {
      const { crossTable, path } = entry;
      return {
        id,
        source: endOf(entry['source']),
        target: endOf(entry['target']),
        crossTable: isJsonObject(crossTable) ? objectOf(crossTable) : undefined,
        steps: isJsonList(path) ? path.flatMap((step) => pathStepValues(step)?.relationship ?? []) : undefined,
      };
    }),
  };
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
