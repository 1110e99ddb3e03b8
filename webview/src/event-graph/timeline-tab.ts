import { createDebouncer } from '../../../protocol/debouncer.ts';
import { t } from '../ui/translate.ts';
import { drawTimelineTab } from './draw-timeline.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** Debounce in milliseconds before entities are searched. */
const debounceMs = 200;

/** The events of one entity, which is searched by its key. */
export function createTimelineTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'searchFor' | 'openEntity' | 'showValues' | 'openTimeline'>> {
  const loadHits = (): void =>
    void page.load('hits', (signal) => page.ask('findEntities', { text: page.state().search.trim() }, signal));
  const searching = createDebouncer(debounceMs, loadHits);
  const openEntity = (entity: number): void =>
    void page.load('timeline', (signal) => page.ask('timeline', { entity }, signal));
  return {
    title: t('Timeline'),
    loads: ['hits'],
    keeps: ['search', 'shownValues'],
    load() {
      if (!page.state().hits) loadHits();
    },
    draw: drawTimelineTab,
    actions: {
      searchFor(search) {
        page.keep({ ...page.state(), search });
        searching.schedule();
      },
      openEntity,
      showValues: (shownValues) => page.keep({ ...page.state(), shownValues }),
      openTimeline(entity) {
        page.actions().show('timeline');
        openEntity(entity);
      },
    },
  };
}
