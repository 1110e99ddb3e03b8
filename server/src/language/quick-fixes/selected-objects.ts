import { type YAMLMap, type YAMLSeq, isMap, isNode, isSeq } from 'yaml';
import { dataObjectOf } from '../../catalog/graph-catalog.ts';
import { pairOf } from '../../model/edits/editable-yaml.ts';
import type { JsonValue } from '../../model/edits/json-value.ts';
import { appendToList, rootMap, topLevelList } from '../../model/edits/list-edits.ts';
import type { MeaningChange, MeaningPath } from '../../model/edits/meaning-change.ts';
import type { EntityGraph, SelectedObject } from '../../model/entity-graph.ts';
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
    const entry = [...graph.elements, ...graph.entities].find(
      ({ dataObject }) => dataObject?.range.start === problem.range.start,
    );
    const name = entry?.dataObject?.value;
    if (!root || name === undefined) return [];
    const look = { title: `Add "${name}" to dataObjects`, preferred: true };
    const { dataSource: source } = ownSource(entry ?? {}, graph);
    if (source === undefined) return appended(look, parsed.yaml, root, 'dataObjects', name);
    const group = groupOf(source, topLevelList(parsed.yaml, 'dataObjects'));
    return group
      ? appended(look, parsed.yaml, group.map, 'objects', name, ['dataObjects', group.index])
      : appended(look, parsed.yaml, root, 'dataObjects', { source, objects: [name] });
  },
};

/** The entry of `dataObjects` with the data objects of a data source other than that of the file. */
function groupOf(
  source: string,
  list: YAMLSeq | undefined,
): { readonly map: YAMLMap; readonly index: number } | undefined {
  for (const [index, item] of list?.items.entries() ?? []) {
    if (isMap(item) && item.get('source') === source) return { map: item, index };
  }
  return undefined;
}

/** Adds an element or master data for a selected data object, or deselects it. */
export const useSelectedObject: QuickFix = {
  codes: ['selected-object-unused'],
  fixes(problem, context) {
    const { parsed } = context;
    const { graph } = parsed;
    const list = topLevelList(parsed.yaml, 'dataObjects');
    const selected = graph.dataObjects.find(({ range }) => range.start === problem.range.start);
    if (!list || !selected) return [];
    const path = placeIn(list, problem.range.start);
    return [
      ...newElement(selected, context),
      ...newMasterData(selected, context),
      ...(path
        ? fixOfMeaning({ title: `Remove "${selected.value}" from dataObjects` }, parsed.yaml, [
            { kind: 'remove', path: ['dataObjects', ...path] },
          ])
        : []),
    ];
  },
};

/**
 * The path of a data object in `dataObjects`, by its offset. For the only data object of a group, the path of the
 * group.
 */
function placeIn(list: YAMLSeq, start: number): readonly (string | number)[] | undefined {
  const indexIn = (items: readonly unknown[]): number =>
    items.findIndex((item) => isNode(item) && item.range?.[0] === start);
  const index = indexIn(list.items);
  if (index >= 0) return [index];
  for (const [group, item] of list.items.entries()) {
    const objects = isMap(item) ? item.get('objects', true) : undefined;
    const inGroup = isSeq(objects) ? indexIn(objects.items) : -1;
    if (isSeq(objects) && inGroup >= 0) return objects.items.length === 1 ? [group] : [group, 'objects', inGroup];
  }
  return undefined;
}

/** A new element at the end, starting at the first timestamp of the data object. */
export function newElement(selected: SelectedObject, { parsed, catalog }: GraphContext): readonly Fix[] {
  const root = rootMap(parsed.yaml);
  if (!root) return [];
  const { value: name, dataSource } = selected;
  const start = likelyStart(catalog && dataObjectOf({ dataObject: selected, dataSource }, catalog));
  const element = {
    activityName: freeActivityName(`Change ${name}`, parsed.graph),
    ...ownSource(selected, parsed.graph),
    dataObject: name,
    ...(start === undefined ? {} : { startTimestamp: start }),
  };
  return appended({ title: `Create an element for "${name}"` }, parsed.yaml, root, 'elements', element);
}

/** A new entry of `entities` at the end; its name is the data object, if that is free. */
export function newMasterData(selected: SelectedObject, { parsed }: GraphContext): readonly Fix[] {
  const root = rootMap(parsed.yaml);
  if (!root) return [];
  const { value: name } = selected;
  const free = freeActivityName(name, parsed.graph);
  const entry = { ...(free === name ? {} : { name: free }), ...ownSource(selected, parsed.graph), dataObject: name };
  return appended({ title: `Add "${name}" as master data` }, parsed.yaml, root, 'entities', entry);
}

/** The data source that has to be named beside a data object: its own, unless it is that of the file. */
function ownSource(
  { dataSource }: Pick<SelectedObject, 'dataSource'>,
  graph: EntityGraph,
): { readonly dataSource?: string } {
  return dataSource && dataSource.value !== graph.dataSource?.value ? { dataSource: dataSource.value } : {};
}

/**
 * The fix that adds a value to a list, creating the list if necessary.
 * @param place of the map with the list
 */
function appended(
  look: Pick<Fix, 'title' | 'preferred'>,
  yaml: YamlText,
  map: YAMLMap,
  key: string,
  value: JsonValue,
  place: MeaningPath = [],
): readonly Fix[] {
  const list = pairOf(map, key)?.value;
  const change: MeaningChange =
    isSeq(list) && list.items.length > 0
      ? { kind: 'insert', path: [...place, key, list.items.length], value }
      : { kind: 'set', path: [...place, key], value: [value] };
  return fixByEdits(look, yaml, () => [appendToList(yaml, map, key, value)], [change]);
}
