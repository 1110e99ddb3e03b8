import { t } from '../ui/translate.ts';
import type { TypeFilter } from '../../../protocol/event-graph.ts';
import { drawMeasuresTab, isOffered, measuresOf } from './draw-measures.ts';
import { type EventGraphActions, shownValue } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

const bins = 40;
const mostGroups = 30;
/** Filters compare strictly; a class includes its start. Times have microseconds. */
const halfMicrosecond = 0.0005;

/** A measure of the entities of a type, such as their throughput time: distribution, quantiles and groups. */
export function createMeasuresTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'chooseMeasure' | 'groupMeasure' | 'brushThroughput' | 'filterByThroughput'>> {
  const loadGroups = (of: TypeFilter): void => {
    const { measure, measureBy } = page.state();
    const params = { filter: of, measures: [measure], by: [measureBy], limit: mostGroups };
    void page.load('measureGroups', (signal) => page.ask('measures', params, signal));
  };
  let read: string | undefined;
  const drop = (): void => {
    page.drop('histogram');
    page.drop('measureGroups');
  };
  const load = (): void => {
    const of = typeFilterOf(page.state().filter);
    if (!of) return drop();
    const { measure } = page.state();
    // Shows nothing while loading, rather than the numbers of another measure or type.
    const now = JSON.stringify([of.entityType, measure]);
    if (read !== now) drop();
    read = now;
    void page.load('histogram', (signal) => page.ask('histogram', { filter: of, measure, bins }, signal));
    loadGroups(of);
  };
  const loadAll = (): void => {
    load();
    void page
      .load('writtenMeasures', (signal) => page.ask('writtenMeasures', {}, signal))
      .then(() => {
        // One that the file has no more.
        const written = shownValue(page.state().writtenMeasures);
        if (written && !isOffered(page.state().measure, written)) page.actions().chooseMeasure('throughput');
      });
  };
  return {
    title: t('Measures'),
    loads: ['histogram', 'measureGroups', 'writtenMeasures', 'brushed'],
    keeps: ['measure', 'measureBy'],
    ofType: ['measureBy'],
    load() {
      if (!page.state().histogram) loadAll();
    },
    filterChanged() {
      const { brushed: _, ...state } = page.state();
      const isOfType = isOffered(state.measure, measuresOf(state));
      page.update(isOfType ? state : { ...state, measure: 'throughput' });
      // Measures of all entities take longer than a map: a hidden tab reads them when it is shown.
      if (state.tab === 'measures') return load();
      drop();
    },
    draw: drawMeasuresTab,
    actions: {
      chooseMeasure(measure) {
        const { brushed: _, ...state } = page.state();
        page.keep({ ...state, measure });
        load();
      },
      groupMeasure(measureBy) {
        page.keep({ ...page.state(), measureBy });
        const of = typeFilterOf(page.state().filter);
        if (of) loadGroups(of);
      },
      brushThroughput(brushed) {
        const { brushed: _, ...state } = page.state();
        page.update(brushed ? { ...state, brushed } : state);
      },
      filterByThroughput() {
        const { brushed, filter, histogram: loaded } = page.state();
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
