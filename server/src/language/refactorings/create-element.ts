import { newElement, newMasterData } from '../quick-fixes/selected-objects.ts';
import type { Refactoring } from './refactoring.ts';

/** Creates the first element, or master data, for the selected data object at the cursor. Quick fixes create later ones. */
export const createFirstElement: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const { dataObjects, elements } = context.parsed.graph;
    if (elements.length > 0) return [];
    const selected = dataObjects.find(({ range }) => range.start <= offset && offset <= range.end);
    return !selected
      ? []
      : [...newElement(selected, context), ...newMasterData(selected, context)].map(({ title, edits }) => ({
          title,
          edits: () => ({ edits }),
        }));
  },
};
