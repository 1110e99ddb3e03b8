import { findDataObject } from '../../catalog/catalog.ts';
import { appendToList, removeFromList, rootMap, topLevelList } from '../../model/edits/list-edits.ts';
import type { GraphContext } from '../checks/check.ts';
import { freeActivityName, likelyStart } from './likely-values.ts';
import { type Fix, type QuickFix, fixWith } from './quick-fix.ts';

/** Adds the data object of an element to the selected ones. */
export const addToDataObjects: QuickFix = {
  codes: ['element-object-not-selected'],
  fixes(problem, { parsed, graph }) {
    const root = rootMap(parsed.yaml);
    const name = graph.elements.find(({ dataObject }) => dataObject?.range.start === problem.range.start)?.dataObject;
    if (!root || !name) return [];
    return fixWith({ title: `Add "${name.value}" to dataObjects`, preferred: true }, () => [
      appendToList(parsed.yaml, root, 'dataObjects', name.value),
    ]);
  },
};

/** Gives a selected data object an element, or takes it out of the selection. */
export const useSelectedObject: QuickFix = {
  codes: ['selected-object-unused'],
  fixes(problem, context) {
    const { parsed, graph } = context;
    const list = topLevelList(parsed.yaml, 'dataObjects');
    const index = graph.dataObjects.findIndex(({ range }) => range.start === problem.range.start);
    const name = graph.dataObjects[index]?.value;
    if (!list || name === undefined) return [];
    const removal = removeFromList(list, index, parsed.yaml.text);
    return [
      ...newElement(name, context),
      ...(removal ? [{ title: `Remove "${name}" from dataObjects`, edits: [removal] }] : []),
    ];
  },
};

/** An element behind the last one, with the first timestamp of the data object as its start. */
export function newElement(name: string, { parsed, graph, catalog }: GraphContext): readonly Fix[] {
  const root = rootMap(parsed.yaml);
  if (!root) return [];
  const start = likelyStart(catalog && findDataObject(catalog, name));
  const element = {
    activityName: freeActivityName(`Change ${name}`, graph),
    dataObject: name,
    ...(start === undefined ? {} : { startTimestamp: start }),
  };
  return fixWith({ title: `Create an element for "${name}"` }, () => [
    appendToList(parsed.yaml, root, 'elements', element),
  ]);
}
