import type { ElementPatch } from '../../../../protocol/canvas-intents.ts';
import { elementFields } from '../../../../protocol/fields/element.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { identifyCards, identifyElements } from './entry-ids.ts';
import { renamedInRules } from './rename-in-rules.ts';
import { withRenamedSteps } from './rename-steps.ts';
import { writtenFields } from './written-forms.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** Reserved names of the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Why an entry cannot have a name; undefined when it can. Relationships use the names of both lists. */
export function nameRejection(name: string, graph: JsonObject, id: string): string | undefined {
  if (reserved.has(name)) return `"${name}" is a reserved name. Choose another one.`;
  const isTaken = identifyCards(graph).some((card) => card.id !== id && card.name === name);
  return isTaken ? `Another element is already called "${name}". Choose another name.` : undefined;
}

/** A data object for a new entry. Without `dataSource` it is found by its name in the selection. */
interface AddedObject {
  readonly dataObject: string;
  readonly dataSource?: string | undefined;
}

/** Adds a provisional element at the end and selects its data object. */
export function addElement(graph: JsonObject, added: AddedObject): IntentOutcome {
  const { dataObjects, dataSource } = selecting(graph, added);
  const elements = [...listOf(graph, 'elements'), { ...dataSource, dataObject: added.dataObject }];
  const next = { ...graph, dataObjects, elements };
  return { graph: next, ...placeOf(next, 'elements', elements.length - 1) };
}

/** The selection with a data object, and the data source that an entry of this data object has to name. */
export function selecting(
  graph: JsonObject,
  { dataObject, dataSource }: AddedObject,
): { readonly dataObjects: readonly JsonValue[]; readonly dataSource: JsonObject } {
  const selected = listOf(graph, 'dataObjects');
  if (dataSource !== undefined && dataSource !== graph['dataSource']) {
    const isSelected = selected.some((entry) => isInGroup(dataObject, entry) && sourceOf(entry) === dataSource);
    const at = selected.findIndex((entry) => sourceOf(entry) === dataSource);
    const group = selected[at];
    const grown = isJsonObject(group)
      ? selected.with(at, { ...group, objects: [...listOf(group, 'objects'), dataObject] })
      : [...selected, { source: dataSource, objects: [dataObject] }];
    return { dataObjects: isSelected ? selected : grown, dataSource: { dataSource } };
  }
  if (selected.includes(dataObject)) return { dataObjects: selected, dataSource: {} };
  const group = dataSource === undefined ? selected.find((entry) => isInGroup(dataObject, entry)) : undefined;
  if (group === undefined) return { dataObjects: [...selected, dataObject], dataSource: {} };
  const source = sourceOf(group);
  return { dataObjects: selected, dataSource: source === undefined ? {} : { dataSource: source } };
}

/** Whether an entry of `dataObjects` selects a data object of another data source. */
function isInGroup(dataObject: string, entry: JsonValue): boolean {
  const objects = isJsonObject(entry) ? entry['objects'] : undefined;
  return isJsonList(objects) && objects.includes(dataObject);
}

function sourceOf(entry: JsonValue): JsonValue | undefined {
  return isJsonObject(entry) ? entry['source'] : undefined;
}

/** Writes the changed values of a dialog; a new name is applied to relationship ends too. */
export function configureElement(graph: JsonObject, id: string, values: ElementPatch): IntentOutcome {
  const found = identifyElements(graph).find((element) => element.id === id);
  if (!found) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const name = values.activityName;
  const refusal = typeof name === 'string' ? nameRejection(name, graph, id) : undefined;
  if (refusal !== undefined) return { refusal };
  const entry = patched(found.entry, writtenFields(elementFields, values, found.entry));
  const elements = listOf(graph, 'elements').with(found.index, entry);
  const before = found.entry['activityName'];
  const renamed =
    typeof name === 'string' && typeof before === 'string' && before === id ? { before, name } : undefined;
  const named = { ...graph, elements, ...(renamed ? renamedEnds(graph, renamed.before, renamed.name) : {}) };
  const next = withRenamedSteps(graph, named);
  return { graph: next, ...placeOf(next, 'elements', found.index) };
}

/** Duplicates an element or an entry of `entities` below it, under a unique name. */
export function duplicateElement(graph: JsonObject, id: string): IntentOutcome {
  const known = identifyCards(graph);
  const found = known.find((card) => card.id === id);
  if (!found) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const { list, name, index } = found;
  const key = list === 'elements' ? 'activityName' : 'name';
  const names = new Set(known.map((card) => card.name));
  const entry = name === undefined ? found.entry : { ...found.entry, [key]: freeName(name, names) };
  const next = { ...graph, [list]: listOf(graph, list).toSpliced(index + 1, 0, entry) };
  return { graph: next, ...placeOf(next, list, index + 1) };
}

export function freeName(name: string, taken: ReadonlySet<unknown>): string {
  const base = name.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) if (!taken.has(`${base} ${number}`)) return `${base} ${number}`;
}

/** A copy of an object with changed keys; null and empty objects remove a key. */
export function patched(entry: JsonObject, values: { readonly [key: string]: unknown }): JsonObject {
  const result: Record<string, JsonValue> = { ...entry };
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const before = result[key];
    if (value === null || value === '') delete result[key];
    else if (isJsonObject(value) && isJsonObject(before)) {
      // Known keys missing in the dialog's values are removed; unknown keys are kept.
      const kept = Object.entries(before).filter(([name]) => name.startsWith('x-'));
      result[key] = { ...Object.fromEntries(kept), ...value };
    } else result[key] = value as JsonValue;
    const after = result[key];
    if (isJsonObject(after) && Object.keys(after).length === 0) delete result[key];
  }
  return result;
}

/** The relationships, process rules, measures, guards and accepted findings that call an activity, or an entry of `entities`, by its new name. */
export function renamedEnds(graph: JsonObject, before: string, name: string): JsonObject {
  const renamed = renamedInRules(graph, 'activity', (used) => (used === before ? name : undefined));
  const inRules = Object.fromEntries(
    ['rules', 'measures', 'guards', 'accepted'].flatMap((key) => {
      const value = renamed[key];
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
  const relationships = graph['relationships'];
  if (!isJsonList(relationships)) return inRules;
  return {
    ...inRules,
    relationships: relationships.map((relationship) => {
      if (!isJsonObject(relationship)) return relationship;
      const ends = (['source', 'target'] as const).filter((end) => relationship[end] === before);
      return ends.length === 0
        ? relationship
        : { ...relationship, ...Object.fromEntries(ends.map((end) => [end, name])) };
    }),
  };
}

export function listOf(graph: JsonObject, key: string): readonly JsonValue[] {
  const list = graph[key];
  return isJsonList(list) ? list : [];
}

export function placeOf(graph: JsonObject, list: 'elements' | 'entities', index: number) {
  const id = identifyCards(graph).find((card) => card.list === list && card.index === index)?.id;
  return { entry: { list, index }, ...(id === undefined ? {} : { select: `element:${id}` }) };
}

export function quoted(id: string): string {
  return /^(entities)?#/.test(id) ? `number ${Number(id.slice(id.indexOf('#') + 1)) + 1}` : `"${id}"`;
}

/** Name and filter of one part of an element. */
export interface ElementPart {
  readonly activityName: string;
  /** The complete filter. */
  readonly where: string;
}

/**
 * Replaces an element by several copies with different names and filters. The first keeps its position, comments and
 * relationships.
 */
export function splitElement(graph: JsonObject, id: string, parts: readonly ElementPart[]): IntentOutcome {
  const found = identifyElements(graph).find((element) => element.id === id);
  const [first, ...others] = parts;
  if (!found || !first) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const configured = configureElement(graph, id, { ...first });
  if ('refusal' in configured) return configured;
  const copies = others.map((part) => ({ ...found.entry, ...part }));
  const elements = listOf(configured.graph, 'elements').toSpliced(found.index + 1, 0, ...copies);
  return { ...configured, graph: { ...configured.graph, elements } };
}
