import type { CanvasIntent } from '../../../../protocol/shapes/canvas-shapes.ts';
import { editGraph } from '../../model/edits/edit-graph.ts';
import { elementIds, masterDataIds } from '../../model/edits/entry-ids.ts';
import { masterDataName } from '../../model/entity-graph.ts';
import { timesOfEntry } from '../../model/entry-columns.ts';
import type { Located } from '../../model/source-range.ts';
import { findInScope, scopeOf } from '../column-scope.ts';
import type { GraphContext } from '../graph-context.ts';
import { entryAt } from './properties.ts';
import type { Refactoring } from './refactoring.ts';

/** Makes the dates of a time the ends of their days, where the cursor is on their column. */
export const takeEndOfDay: Refactoring = {
  kind: 'refactor.rewrite',
  offers(context, offset) {
    const entry = entryAt(context, offset);
    if (!entry || !context.catalog) return [];
    const scope = scopeOf(entry, context.catalog);
    const isHere = (column: Located<string> | undefined, flag: Located<boolean> | undefined): boolean =>
      column !== undefined &&
      flag?.value !== true &&
      column.range.start <= offset &&
      offset <= column.range.end &&
      findInScope(scope, column.value)?.sense === 'date';
    const time = timesOfEntry(entry).find(({ column, atEndOfDay }) => isHere(column, atEndOfDay));
    if (!time) return [];
    const { elements, entries } = idsOf(context);
    const values = { [time.flag]: true };
    const intent: CanvasIntent =
      'isMasterData' in entry
        ? { kind: 'configureMasterData', entry: entries[entry.index] ?? '', values }
        : { kind: 'configureElement', element: elements[entry.index] ?? '', values };
    return [
      {
        title: `Take the end of the day of "${time.column?.value ?? ''}"`,
        edits: () => editGraph(context.parsed.yaml, intent),
      },
    ];
  },
};

function idsOf({ parsed: { graph } }: GraphContext) {
  const elements = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  return { elements, entries: masterDataIds(graph.entities.map(masterDataName), elements) };
}
