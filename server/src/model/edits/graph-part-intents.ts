import type { GraphListName, GraphTextName } from '../../../../protocol/graph-parts.ts';
import { freeName, patched } from './element-intents.ts';
import { identifyElements } from './entry-ids.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';

/** Writes a text of the graph; an empty one removes it. */
export function setGraphText(graph: JsonObject, field: GraphTextName, text: string): IntentOutcome {
  return { graph: patched(graph, { [field]: text.trim() === '' ? null : text }) };
}

/** Appends an entry that is complete, so that it can be changed: about the first element where it is about one. */
export function addGraphEntry(graph: JsonObject, list: GraphListName): IntentOutcome {
  const before = graph[list] ?? (isObject[list] ? {} : []);
  if (isObject[list] ? !isJsonObject(before) : !isJsonList(before)) {
    return { refusal: `The value of "${list}" is not a ${isObject[list] ? 'mapping' : 'list'}. Correct it first.` };
  }
  const entry = newEntry(graph, list, before);
  if (entry === undefined) return { refusal: 'Add an element with an Activity Name first: the new entry is about it.' };
  const after = isJsonList(before) ? [...before, entry] : { ...(before as JsonObject), ...(entry as JsonObject) };
  return { graph: { ...graph, [list]: after } };
}

/** Removes the entry at a place among the mappings of a list; a list without entries goes, too. */
export function removeGraphEntry(graph: JsonObject, list: GraphListName, place: number): IntentOutcome {
  const before = graph[list];
  if (list === 'import') return { graph: patched(graph, { import: null }) };
  if (isJsonObject(before)) {
    const kept = Object.entries(before).filter((_, index) => index !== place);
    if (kept.length === 0) return { graph: patched(graph, { [list]: null }) };
    return { graph: { ...graph, [list]: Object.fromEntries(kept) } };
  }
  const entries = isJsonList(before) ? before : [];
  const gone = entries.filter(isJsonObject)[place];
  const kept = entries.filter((entry) => entry !== gone);
  return { graph: patched(graph, { [list]: kept.length === 0 ? null : kept }) };
}

/** Whether a part is a mapping instead of a list. */
const isObject: Readonly<Record<GraphListName, boolean>> = {
  rules: false,
  measures: false,
  guards: false,
  accepted: false,
  calendars: true,
  import: true,
};

function newEntry(graph: JsonObject, list: GraphListName, before: JsonValue): JsonValue | undefined {
  if (list === 'import') return { engine: 'embedded' };
  if (list === 'calendars') {
    const taken = new Set(Object.keys(before as JsonObject));
    const name = taken.has('office') ? freeName('office', taken) : 'office';
    return { [name]: { timeZone: 'UTC', days: 'Mon-Fri', hours: '08:00-17:00' } };
  }
  const element = identifyElements(graph).find(({ entry }) => typeof entry['activityName'] === 'string')?.entry;
  const activity = element?.['activityName'];
  if (!element || activity === undefined) return undefined;
  if (list === 'accepted') return { finding: 'midnight-times', element: activity };
  if (list === 'guards') return { element: activity, losesAtMost: '10%' };
  const names = new Set(['rules', 'measures'].flatMap((key) => namesIn(graph[key])));
  const first = list === 'rules' ? 'New rule' : 'New measure';
  const name = names.has(first) ? freeName(first, names) : first;
  const each = { entityType: element['entityType'] ?? element['dataObject'] ?? '' };
  return list === 'rules' ? { name, each, expect: [{ activity }] } : { name, each, count: { activity } };
}

function namesIn(list: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(list) ? list.flatMap((entry) => (isJsonObject(entry) ? (entry['name'] ?? []) : [])) : [];
}
