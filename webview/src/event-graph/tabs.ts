import { t } from '../ui/translate.ts';
import { createCasesTab } from './cases-tab.ts';
import { createDistributionsTab } from './distributions-tab.ts';
import { drawChangesTab, drawQualityTab } from './draw-quality.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import { createMapTab } from './map-tab.ts';
import type { EventGraphPage, PageTab } from './page-tab.ts';
import { createRulesTab } from './rules-tab.ts';
import { createThroughputTab } from './throughput-tab.ts';
import { createTimelineTab } from './timeline-tab.ts';

/** The tabs of the page by name, in their order; the first is shown at first. */
export type Tabs = ReadonlyMap<string, PageTab>;

export function createTabs(page: EventGraphPage) {
  const map = createMapTab(page);
  const throughput = createThroughputTab(page);
  const cases = createCasesTab(page);
  const timeline = createTimelineTab(page);
  const distributions = createDistributionsTab(page);
  const rules = createRulesTab(page);
  const quality: PageTab = { title: t('Data Quality'), loads: [], draw: drawQualityTab };
  const changes: PageTab = {
    title: t('Changes'),
    loads: ['diff'],
    load() {
      if (!page.state().diff) void page.load('diff', (signal) => page.ask('graphDiff', {}, signal));
    },
    draw: drawChangesTab,
  };
  const tabs: Tabs = new Map<string, PageTab>(
    Object.entries({ map, throughput, cases, timeline, distributions, rules, quality, changes }),
  );
  const actions = {
    ...map.actions,
    ...throughput.actions,
    ...cases.actions,
    ...timeline.actions,
    ...distributions.actions,
    ...rules.actions,
  };
  return { tabs, actions: actions satisfies Partial<EventGraphActions> };
}
