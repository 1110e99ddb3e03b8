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
): ActingTab<Pick<EventGraphActions, 'searchFor' | 'openEntity' | 'showValues' | 'findInTimeline' | 'openTimeline'>> {
  const loadHits = (): void =>
    void page.load('hits', (signal) => {
      const { search, filter } = page.state();
      return page.ask('findEntities', { search: search.trim(), filter }, signal);
    });
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
    filterChanged() {
      if (page.state().tab === 'timeline') loadHits();
      else page.drop('hits');
    },
    draw: drawTimelineTab,
    actions: {
      searchFor(search) {
        page.keep({ ...page.state(), search });
        searching.schedule();
      },
      openEntity,
      showValues: (shownValues) => page.keep({ ...page.state(), shownValues }),
      findInTimeline(entityType, search) {
        const { filter } = page.state();
        // Of another filter it might not be listed.
        if (Object.keys(filter).length > 1 || filter.entityType !== entityType) page.actions().filterBy({ entityType });
        page.keep({ ...page.state(), search });
        page.actions().show('timeline');
        loadHits();
      },
      openTimeline(entity) {
        page.actions().show('timeline');
        openEntity(entity);
      },
    },
  };
}
