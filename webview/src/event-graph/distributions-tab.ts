import { t } from '../ui/translate.ts';
import { drawDistributionsTab } from './draw-distributions.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** Distributions of events over activities, time and property values. */
export function createDistributionsTab(page: EventGraphPage): ActingTab<Pick<EventGraphActions, 'chooseProperty'>> {
  const loadEvents = (): void =>
    void page.load('events', (signal) => page.ask('events', { filter: page.state().filter }, signal));
  function loadValues(): void {
    const { property, filter } = page.state();
    if (!property) return;
    const params = { element: property.element, property: property.name, filter };
    void page.load('values', (signal) => page.ask('property', params, signal));
  }
  return {
    title: t('Distributions'),
    loads: ['events', 'values'],
    keeps: ['property'],
    isFiltered: true,
    load() {
      const { events, property, values } = page.state();
      if (!events) loadEvents();
      if (property && !values) loadValues();
    },
    filterChanged() {
      loadEvents();
      loadValues();
    },
    draw: drawDistributionsTab,
    actions: {
      chooseProperty(element, name) {
        const { values: _, ...rest } = page.state();
        page.keep({ ...rest, property: { element, name } });
        loadValues();
      },
    },
  };
}
