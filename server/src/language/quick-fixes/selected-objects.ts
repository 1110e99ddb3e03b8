import { type YAMLMap, isNode, isSeq } from 'yaml';
import { findDataObject } from '../../catalog/catalog.ts';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import type { JsonValue } from '../../model/edits/json-value.ts';
import { appendToList, rootMap, topLevelList } from '../../model/edits/list-edits.ts';
import type { MeaningChange } from '../../model/edits/meaning-change.ts';
import type { YamlText } from '../../model/yaml-text.ts';
import type { GraphContext } from '../graph-context.ts';
import { freeActivityName, likelyStart } from './likely-values.ts';
import { type Fix, type QuickFix, fixByEdits, fixOfMeaning } from './quick-fix.ts';

/** Adds the data object of an element to the selection. */
export const addToDataObjects: QuickFix = {
  codes: ['element-object-not-selected'],
  fixes(problem, { parsed }) {
    const { graph } = parsed;
    const root = rootMap(parsed.yaml);
    const name = [...graph.elements, ...graph.entities].find(
      ({ dataObject }) => dataObject?.range.start === problem.range.start,
    )?.dataObject;
    if (!root || !name) return [];
    const look = { title: `Add "${name.value}" to dataObjects`, preferred: true };
    return appended(look, parsed.yaml, root, 'dataObjects', name.value);
  },
};

/** Adds an element or master data for a selected data object, or deselects it. */
export const useSelectedObject: QuickFix = {
  codes: ['selected-object-unused'],
  fixes(problem, context) {
    const { parsed } = context;
    const { graph } = parsed;
    const list = topLevelList(parsed.yaml, 'dataObjects');
    const index = graph.dataObjects.findIndex(({ range }) => range.start === problem.range.start);
    const name = graph.dataObjects[index]?.value;
    if (!list || name === undefined) return [];
    const place = list.items.findIndex((item) => isNode(item) && item.range?.[0] === problem.range.start);
    return [
      ...newElement(name, context),
      ...newMasterData(name, context),
      ...fixOfMeaning({ title: `Remove "${name}" from dataObjects` }, parsed.yaml, [
        { kind: 'remove', path: ['dataObjects', place] },
      ]),
    ];
  },
};

/** A new element at the end, starting at the first timestamp of the data object. */
export function newElement(name: string, { parsed, catalog }: GraphContext): readonly Fix[] {
  const root = rootMap(parsed.yaml);
  if (!root) return [];
  const start = likelyStart(catalog && findDataObject(catalog, name));
  const element = {
    activityName: freeActivityName(`Change ${name}`, parsed.graph),
    dataObject: name,
    ...(start === undefined ? {} : { startTimestamp: start }),
  };
  return appended({ title: `Create an element for "${name}"` }, parsed.yaml, root, 'elements', element);
}

/** A new entry of `entities` at the end; its name is the data object, if that is free. */
export function newMasterData(name: string, { parsed }: GraphContext): readonly Fix[] {
  const root = rootMap(parsed.yaml);
  if (!root) return [];
  const free = freeActivityName(name, parsed.graph);
  const entry = { ...(free === name ? {} : { name: free }), dataObject: name };
  return appended({ title: `Add "${name}" as master data` }, parsed.yaml, root, 'entities', entry);
}

/** The fix that adds a value to a list, creating the list if necessary. */
function appended(
  look: Pick<Fix, 'title' | 'preferred'>,
  yaml: YamlText,
  root: YAMLMap,
  key: string,
  value: JsonValue,
): readonly Fix[] {
  const list = pairOf(root, key)?.value;
  const change: MeaningChange =
    isSeq(list) && list.items.length > 0
      ? { kind: 'insert', path: [key, list.items.length], value }
      : { kind: 'set', path: [key], value: [value] };
  return fixByEdits(look, yaml, () => [appendToList(yaml, root, key, value)], [change]);
}
