import type { CanvasIntent } from '../../../../protocol/canvas-intents.ts';
import { editGraph } from '../../model/edits/edit-graph.ts';
import { elementIds, masterDataIds } from '../../model/edits/entry-ids.ts';
import { masterDataName } from '../../model/entity-graph.ts';
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
    const { elements: elementNames, entries } = idsOf(context);
    const offer = (column: Located<string> | undefined, intent: CanvasIntent) => [
      {
        title: `Take the end of the day of "${column?.value ?? ''}"`,
        edits: () => editGraph(context.parsed.yaml, intent),
      },
    ];
    if ('isMasterData' in entry) {
      const values = { validFromAtEndOfDay: true };
      return isHere(entry.validFrom, entry.validFromAtEndOfDay)
        ? offer(entry.validFrom, { kind: 'configureMasterData', entry: entries[entry.index] ?? '', values })
        : [];
    }
    const element = elementNames[entry.index] ?? '';
    if (isHere(entry.startTimestamp, entry.startAtEndOfDay)) {
      return offer(entry.startTimestamp, { kind: 'configureElement', element, values: { startAtEndOfDay: true } });
    }
    return isHere(entry.changeTimestamp, entry.changeAtEndOfDay)
      ? offer(entry.changeTimestamp, { kind: 'configureElement', element, values: { changeAtEndOfDay: true } })
      : [];
  },
};

function idsOf({ parsed: { graph } }: GraphContext) {
  const elements = elementIds(graph.elements.map(({ activityName }) => activityName?.value));
  return { elements, entries: masterDataIds(graph.entities.map(masterDataName), elements) };
}
