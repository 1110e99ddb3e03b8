import { createCasesTab } from './cases-tab.ts';
import { createChangesTab } from './changes-tab.ts';
import { createCompareTab } from './compare-tab.ts';
import { createDistributionsTab } from './distributions-tab.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import { createMapTab } from './map-tab.ts';
import { createMeasuresTab } from './measures-tab.ts';
import { createOverTimeTab } from './over-time-tab.ts';
import type { EventGraphPage, PageTab } from './page-tab.ts';
import { createQualityTab } from './quality-tab.ts';
import { createRulesTab } from './rules-tab.ts';
import { createTimelineTab } from './timeline-tab.ts';
import { createWhyTab } from './why-tab.ts';

/** The tabs of the page by name, in their order; the first is shown at first. */
export type Tabs = ReadonlyMap<string, PageTab>;

export function createTabs(page: EventGraphPage) {
  const map = createMapTab(page);
  const measures = createMeasuresTab(page);
  const cases = createCasesTab(page);
  const overTime = createOverTimeTab(page);
  const compare = createCompareTab(page);
  const why = createWhyTab(page);
  const timeline = createTimelineTab(page);
  const distributions = createDistributionsTab(page);
  const rules = createRulesTab(page);
  const quality = createQualityTab(page);
  const changes = createChangesTab(page);
  const tabs: Tabs = new Map<string, PageTab>(
    Object.entries({
      map,
      measures,
      cases,
      timeline,
      overTime,
      distributions,
      compare,
      why,
      rules,
      quality,
      changes,
    }),
  );
  const actions = {
    ...map.actions,
    ...measures.actions,
    ...cases.actions,
    ...timeline.actions,
    ...overTime.actions,
    ...compare.actions,
    ...why.actions,
    ...distributions.actions,
    ...rules.actions,
    ...quality.actions,
    ...changes.actions,
  };
  return { tabs, actions: actions satisfies Partial<EventGraphActions> };
}
