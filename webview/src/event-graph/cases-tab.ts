import { t } from '../ui/translate.ts';
import { drawCasesTab } from './draw-cases.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

/** Entities of a part of the list. */
const partOfCases = 100;

/** The entities of the filter with their measures and properties. */
export function createCasesTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'sortCases' | 'showMoreCases'>> {
  let limit = partOfCases;
  const load = (): void => {
    const { filter, caseSort } = page.state();
    const of = typeFilterOf(filter);
    if (!of) return page.drop('cases');
    const params = { filter: of, sort: caseSort.column, ascending: caseSort.isAscending, limit };
    void page.load('cases', (signal) => page.ask('cases', params, signal));
  };
  return {
    title: t('Cases'),
    loads: ['cases'],
    keeps: ['caseSort'],
    load() {
      if (!page.state().cases) load();
    },
    filterChanged() {
      limit = partOfCases;
      // Entities of another type have other properties to sort by.
      page.keep({ ...page.state(), caseSort: { column: 'throughput', isAscending: false } });
      if (page.state().tab === 'cases') load();
      else page.drop('cases');
    },
    draw: drawCasesTab,
    actions: {
      sortCases(column) {
        const { caseSort } = page.state();
        const isAscending = caseSort.column === column ? !caseSort.isAscending : column === 'key';
        limit = partOfCases;
        page.keep({ ...page.state(), caseSort: { column, isAscending } });
        load();
      },
      showMoreCases() {
        limit += 5 * partOfCases;
        load();
      },
    },
  };
}
