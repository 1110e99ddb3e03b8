import { findDataObject } from '../../catalog/catalog.ts';
import { rangeOf } from '../../model/yaml-text.ts';
import type { GraphContext } from '../checks/check.ts';
import { appendToList, contentLineEnd, indentOf, removeFromList, topLevelList } from '../../model/edits/list-edits.ts';
import { type TextEdit, writtenLike } from '../../model/edits/text-edit.ts';
import type { QuickFix } from './quick-fix.ts';

/** Adds the data object of an element to the selected ones. */
export const addToDataObjects: QuickFix = {
  codes: ['element-object-not-selected'],
  fixes(problem, { parsed, graph }) {
    const list = topLevelList(parsed.yaml, 'dataObjects');
    const name = graph.elements.find(({ dataObject }) => dataObject?.range.start === problem.range.start)?.dataObject;
    if (!list || !name) return [];
    const edits = [appendToList(list, name.value, parsed.yaml.text)];
    return [{ title: `Add "${name.value}" to dataObjects`, edits, preferred: true }];
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
    const creation = newElement(name, context);
    return [
      ...(creation ? [{ title: `Create an element for "${name}"`, edits: [creation] }] : []),
      ...(removal ? [{ title: `Remove "${name}" from dataObjects`, edits: [removal] }] : []),
    ];
  },
};

/** An element behind the last one, with the first timestamp of the data object as its start. */
function newElement(name: string, { parsed, catalog }: GraphContext): TextEdit | undefined {
  const { text } = parsed.yaml;
  const list = topLevelList(parsed.yaml, 'elements');
  if (!list || list.flow === true) return undefined;
  const object = catalog && findDataObject(catalog, name);
  const start = object?.columns.find(({ sense }) => sense === 'timestamp' || sense === 'date')?.name;
  const indent = indentOf(rangeOf(list).start, text);
  const lines = [
    `${indent}- activityName: ${writtenLike(`Change ${name}`, '')}`,
    `${indent}  dataObject: ${writtenLike(name, '')}`,
    `${indent}  startTimestamp:${start === undefined ? '' : ` ${writtenLike(start, '')}`}`,
  ];
  const at = contentLineEnd(rangeOf(list).end, text);
  return { range: { start: at, end: at }, newText: `\n${lines.join('\n')}` };
}
