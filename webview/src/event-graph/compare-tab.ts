import type { ComparedEntities } from '../../../protocol/event-graph.ts';
import { t } from '../ui/translate.ts';
import { drawCompareTab } from './draw-compare.ts';
import { type EventGraphActions, shownValue } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

/** The entities of the filter beside others. */
export function createCompareTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'compareWith' | 'compareWithSaved' | 'compareWithThis' | 'showsComparisonOnMap'>> {
  const load = (): void => {
    const { filter, compare } = page.state();
    const of = typeFilterOf(filter);
    const isAll = of && compare.kind === 'others' && Object.keys(of).length === 1;
    if (!of || isAll) return page.drop('comparison');
    void page.load('comparison', (signal) => page.ask('comparison', { filter: of, compare }, signal));
  };
  const compareWith = (compare: ComparedEntities): void => {
    page.keep({ ...page.state(), compare });
    load();
    if (page.state().isComparedOnMap) page.actions().setMap({});
  };
  return {
    title: t('Compare'),
    loads: ['comparison'],
    keeps: ['compare', 'isComparedOnMap'],
    ofType: ['compare'],
    load() {
      if (!page.state().savedFilters) void page.load('savedFilters', (signal) => page.ask('savedFilters', {}, signal));
      if (!page.state().comparison) load();
    },
    filterChanged() {
      if (page.state().tab === 'compare') load();
      else page.drop('comparison');
    },
    draw: drawCompareTab,
    actions: {
      compareWith,
      compareWithSaved(name) {
        const { filter, savedFilters } = page.state();
        const saved = shownValue(savedFilters)?.[name];
        const { entityType } = filter;
        if (saved && entityType !== undefined) compareWith({ kind: 'filter', filter: { ...saved, entityType } });
      },
      compareWithThis() {
        const of = typeFilterOf(page.state().filter);
        if (of) compareWith({ kind: 'filter', filter: of });
      },
      showsComparisonOnMap(isComparedOnMap) {
        page.keep({ ...page.state(), isComparedOnMap });
        page.actions().setMap({});
        if (isComparedOnMap) page.actions().show('map');
      },
    },
  };
}
