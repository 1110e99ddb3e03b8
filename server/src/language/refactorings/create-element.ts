import { newElement } from '../quick-fixes/selected-objects.ts';
import type { Refactoring } from './refactoring.ts';

/** The first element of a graph, for the selected data object at the cursor. Later ones are fixes of what is unused. */
export const createFirstElement: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const { dataObjects, elements } = context.parsed.graph;
    if (elements.length > 0) return [];
    const name = dataObjects.find(({ range }) => range.start <= offset && offset <= range.end)?.value;
    return name === undefined
      ? []
      : newElement(name, context).map(({ title, edits }) => ({ title, edits: () => ({ edits }) }));
  },
};
