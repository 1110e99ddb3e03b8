import type { ElementPatch } from '../../../../protocol/canvas-intents.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { identifyElements } from './entry-ids.ts';
import { withRenamedSteps } from './rename-steps.ts';
import { writtenProperties, writtenTimes } from './written-forms.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** Reserved names of the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Adds a provisional element at the end and selects its data object. */
export function addElement(graph: JsonObject, dataObject: string): IntentOutcome {
  const selected = listOf(graph, 'dataObjects');
  const elements = [...listOf(graph, 'elements'), { dataObject }];
  const next = {
    ...graph,
    dataObjects: selected.includes(dataObject) ? selected : [...selected, dataObject],
    elements,
  };
  return { graph: next, ...placeOf(next, elements.length - 1) };
}

/** Writes the changed values of a dialog; a new name is applied to relationship ends too. */
export function configureElement(graph: JsonObject, id: string, values: ElementPatch): IntentOutcome {
  const found = identifyElements(graph).find((element) => element.id === id);
  if (!found) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const name = values.activityName;
  if (typeof name === 'string') {
    if (reserved.has(name)) return { refusal: `"${name}" is a reserved name. Choose another one.` };
    const isTaken =
      identifyElements(graph).some(({ index, entry }) => index !== found.index && entry['activityName'] === name) ||
      masterDataNames(graph).includes(name);
    if (isTaken) return { refusal: `Another element is already called "${name}". Choose another name.` };
  }
  const { startExpression: _start, changeExpression: _change, ...plain } = values;
  const entry = patched(found.entry, {
    ...plain,
    startTimestamp: undefined,
    changeTimestamp: undefined,
    ...writtenTimes(values, found.entry),
    key: keyOf(values.key, found.entry['key']),
    properties: writtenProperties(values.properties, found.entry['properties']),
  });
  const elements = listOf(graph, 'elements').with(found.index, entry);
  const before = found.entry['activityName'];
  const renamed =
    typeof name === 'string' && typeof before === 'string' && before === id ? { before, name } : undefined;
  const named = { ...graph, elements, ...(renamed ? renamedEnds(graph, renamed.before, renamed.name) : {}) };
  const next = withRenamedSteps(graph, named);
  return { graph: next, ...placeOf(next, found.index) };
}

/** Duplicates an element below it, under a unique name. */
export function duplicateElement(graph: JsonObject, id: string): IntentOutcome {
  const known = identifyElements(graph);
  const found = known.find((element) => element.id === id);
  if (!found) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const name = found.entry['activityName'];
  const names = new Set([...known.map(({ entry }) => entry['activityName']), ...masterDataNames(graph)]);
  const entry = typeof name === 'string' ? { ...found.entry, activityName: freeName(name, names) } : found.entry;
  const elements = listOf(graph, 'elements').toSpliced(found.index + 1, 0, entry);
  const next = { ...graph, elements };
  return { graph: next, ...placeOf(next, found.index + 1) };
}

/** Relationships name entries of `entities` as they name elements. */
function masterDataNames(graph: JsonObject): readonly unknown[] {
  const entries = listOf(graph, 'entities').filter(isJsonObject);
  return entries.map(({ name, entityType, dataObject }) => name ?? entityType ?? dataObject);
}

function freeName(name: string, taken: ReadonlySet<unknown>): string {
  const base = name.replace(/ \d+$/, '');
  for (let number = 2; ; number += 1) if (!taken.has(`${base} ${number}`)) return `${base} ${number}`;
}

/** A single column is written without brackets, unless there are some. */
function keyOf(key: readonly string[] | null | undefined, before: JsonValue | undefined): JsonValue | null | undefined {
  if (key === null || key === undefined) return key;
  if (key.length === 0) return null;
  return key.length === 1 && !isJsonList(before) ? (key[0] ?? null) : key;
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

function renamedEnds(graph: JsonObject, before: string, name: string): JsonObject {
  const relationships = graph['relationships'];
  if (!isJsonList(relationships)) return {};
  return {
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

export function placeOf(graph: JsonObject, index: number) {
  const id = identifyElements(graph).find((element) => element.index === index)?.id;
  return { entry: { list: 'elements', index } as const, ...(id === undefined ? {} : { select: `element:${id}` }) };
}

export function quoted(id: string): string {
  return id.startsWith('#') ? `number ${Number(id.slice(1)) + 1}` : `"${id}"`;
}
