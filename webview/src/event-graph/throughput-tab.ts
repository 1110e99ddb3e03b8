import { t } from '../ui/translate.ts';
import { drawThroughputTab } from './draw-throughput.ts';
import { type EventGraphActions, shownValue } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

const bins = 40;
const mostGroups = 30;
/** Filters compare strictly; a class includes its start. Times have microseconds. */
const halfMicrosecond = 0.0005;

/** How long entities take from their first to their last event: distribution, quantiles and groups. */
export function createThroughputTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'groupThroughput' | 'brushThroughput' | 'filterByThroughput'>> {
  const loadGroups = (): void => {
    const { filter, throughputBy } = page.state();
    const of = typeFilterOf(filter);
    if (!of) return page.drop('throughputGroups');
    const params = { filter: of, measures: ['throughput'], by: [throughputBy], limit: mostGroups };
    void page.load('throughputGroups', (signal) => page.ask('measures', params, signal));
  };
  const load = (): void => {
    const of = typeFilterOf(page.state().filter);
    if (!of) return page.drop('throughput');
    const params = { filter: of, measure: 'throughput', bins };
    void page.load('throughput', (signal) => page.ask('histogram', params, signal));
    loadGroups();
  };
  return {
    title: t('Throughput'),
    loads: ['throughput', 'throughputGroups', 'brushed'],
    keeps: ['throughputBy'],
    isFiltered: true,
    load() {
      if (!page.state().throughput) load();
    },
    filterChanged() {
      const { brushed: _, ...state } = page.state();
      page.update(state);
      // Measures of all entities take longer than a map: a hidden tab reads them when it is shown.
      if (state.tab === 'throughput') return load();
      page.drop('throughput');
      page.drop('throughputGroups');
    },
    draw: drawThroughputTab,
    actions: {
      groupThroughput(throughputBy) {
        page.keep({ ...page.state(), throughputBy });
        loadGroups();
      },
      brushThroughput(brushed) {
        const { brushed: _, ...state } = page.state();
        page.update(brushed ? { ...state, brushed } : state);
      },
      filterByThroughput() {
        const { brushed, filter, throughput: loaded } = page.state();
        const classes = shownValue(loaded)?.bins ?? [];
        if (!brushed) return;
        const [from, to] = [Math.min(brushed.from, brushed.to), Math.max(brushed.from, brushed.to)];
        const [first, last] = [classes[from], classes[to]];
        if (!first || !last) return;
        const isEnd = to === classes.length - 1;
        const throughput = {
          slower: first.from - halfMicrosecond,
          faster: last.to + (isEnd ? halfMicrosecond : -halfMicrosecond),
        };
        page.actions().filterBy({ ...filter, throughput });
      },
    },
  };
}
