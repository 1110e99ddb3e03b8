import { t } from '../ui/translate.ts';
import { changedTypeOf, drawChangesTab } from './draw-changes.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import { mapWords } from './map-words.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** What the last import changed: a map with both numbers, and lists. */
export function createChangesTab(page: EventGraphPage): ActingTab<Pick<EventGraphActions, 'chooseChangedType'>> {
  const loadMap = (): void => {
    const entityType = changedTypeOf(page.state());
    if (entityType === undefined) return page.drop('changedMap');
    void page.load('changedMap', (signal) => page.ask('changedMap', { entityType, words: mapWords }, signal));
  };
  return {
    title: t('Changes'),
    loads: ['diff', 'changedMap'],
    keeps: ['changedType'],
    load() {
      if (page.state().diff) return;
      loadMap();
      void page.load('diff', (signal) => page.ask('graphDiff', {}, signal));
    },
    unfiltered: t('The filter does not apply here: the whole graph is compared with that of the previous import.'),
    draw: drawChangesTab,
    actions: {
      chooseChangedType(changedType) {
        page.keep({ ...page.state(), changedType });
        loadMap();
      },
    },
  };
}
