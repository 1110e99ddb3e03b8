import { t } from '../ui/translate.ts';
import { rangeOf } from './brush.ts';
import { drawOverTimeTab } from './draw-over-time.ts';
import { type EventGraphActions, shownValue } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

/** The grid of the dotted chart. */
const [columns, rows] = [240, 120];

/** Arrivals, completions and work in progress over time, and all events as points. */
export function createOverTimeTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'alignDots' | 'brushFlow' | 'filterByFlow'>> {
  const loadDots = (): void => {
    const { filter, dotsTime: time } = page.state();
    const of = typeFilterOf(filter);
    if (!of) return page.drop('dots');
    void page.load('dots', (signal) => page.ask('dots', { filter: of, time, columns, rows }, signal));
  };
  const load = (): void => {
    const of = typeFilterOf(page.state().filter);
    if (!of) return page.drop('flow');
    void page.load('flow', (signal) => page.ask('flow', { filter: of }, signal));
    loadDots();
  };
  return {
    title: t('Over Time'),
    loads: ['flow', 'dots', 'brushedFlow'],
    keeps: ['dotsTime'],
    load() {
      if (!page.state().flow) load();
    },
    filterChanged() {
      const { brushedFlow: _, ...state } = page.state();
      page.update(state);
      if (state.tab === 'overTime') return load();
      page.drop('flow');
      page.drop('dots');
    },
    draw: drawOverTimeTab,
    actions: {
      alignDots(dotsTime) {
        page.keep({ ...page.state(), dotsTime });
        loadDots();
      },
      brushFlow(brushedFlow) {
        const { brushedFlow: _, ...state } = page.state();
        page.update(brushedFlow ? { ...state, brushedFlow } : state);
      },
      filterByFlow() {
        const { brushedFlow, filter, flow } = page.state();
        const parts = shownValue(flow)?.parts ?? [];
        if (!brushedFlow) return;
        const [first, last] = rangeOf(brushedFlow);
        page.actions().filterBy({ ...filter, ...periodOf(parts, first, last) });
      },
    },
  };
}

/** The period of some parts of the time; the end of the last part is open. */
export function periodOf(
  parts: readonly { readonly start: string }[],
  first: number,
  last: number,
): { readonly from?: string; readonly to?: string } {
  const [from, to] = [parts[first]?.start, parts[last + 1]?.start];
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
