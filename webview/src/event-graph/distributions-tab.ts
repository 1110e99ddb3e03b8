import { t } from '../ui/translate.ts';
import { rangeOfClasses, withValue, withoutValue } from './condition-draft.ts';
import { rangeOf } from './brush.ts';
import { drawDistributionsTab } from './draw-distributions.ts';
import { timeText } from './draw-parts.ts';
import { type EventGraphActions, shownValue } from './event-graph-state.ts';
import { periodOf } from './over-time-tab.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

const bins = 24;

type DistributionActions = Pick<
  EventGraphActions,
  | 'chooseProperty'
  | 'brushEvents'
  | 'chooseEvents'
  | 'chooseEntityProperty'
  | 'brushValues'
  | 'filterByValues'
  | 'chooseHandover'
>;

/** Distributions of events over activities and time, of entities over property values, and handovers between values. */
export function createDistributionsTab(page: EventGraphPage): ActingTab<DistributionActions> {
  const loads = createLoaders(page);
  return {
    title: t('Distributions'),
    loads: ['events', 'values', 'entityValues', 'handover', 'brushedEvents', 'brushedValues'],
    keeps: ['property', 'valuesOf', 'handoverBy'],
    ofType: ['valuesOf', 'handoverBy'],
    load() {
      const { events, property, values, valuesOf, entityValues, handoverBy, handover } = page.state();
      if (!events) loads.events();
      if (property && !values) loads.values();
      if (valuesOf !== undefined && !entityValues) loads.entityValues();
      if (handoverBy !== undefined && !handover) loads.handover();
    },
    filterChanged() {
      const { brushedEvents: _events, brushedValues: _values, ...state } = page.state();
      page.update(state);
      for (const key of ['events', 'values', 'entityValues', 'handover'] as const) {
        if (state.tab === 'distributions') loads[key]();
        else page.drop(key);
      }
    },
    draw: drawDistributionsTab,
    actions: {
      chooseProperty(element, name) {
        const { values: _, ...rest } = page.state();
        page.keep({ ...rest, property: { element, name } });
        loads.values();
      },
      ...eventActions(page),
      ...valueActions(page, loads),
    },
  };
}

type Loaders = Readonly<Record<'events' | 'values' | 'entityValues' | 'handover', () => void>>;

function createLoaders(page: EventGraphPage): Loaders {
  return {
    events: () => void page.load('events', (signal) => page.ask('events', { filter: page.state().filter }, signal)),
    values() {
      const { property, filter } = page.state();
      if (!property || filter.entityType !== undefined) return page.drop('values');
      const params = { element: property.element, property: property.name, filter };
      void page.load('values', (signal) => page.ask('property', params, signal));
    },
    entityValues() {
      const { valuesOf, filter } = page.state();
      const of = typeFilterOf(filter);
      if (valuesOf === undefined || !of) return page.drop('entityValues');
      // A condition on the property would leave its own values only.
      const others = { ...withoutValue(of, valuesOf), entityType: of.entityType };
      const params = { filter: others, property: valuesOf, bins };
      void page.load('entityValues', (signal) => page.ask('propertyValues', params, signal));
    },
    handover() {
      const { handoverBy, filter } = page.state();
      const of = typeFilterOf(filter);
      if (handoverBy === undefined || !of) return page.drop('handover');
      void page.load('handover', (signal) => page.ask('handover', { filter: of, property: handoverBy }, signal));
    },
  };
}

function eventActions(page: EventGraphPage): Pick<DistributionActions, 'brushEvents' | 'chooseEvents'> {
  return {
    brushEvents(brushedEvents) {
      const { brushedEvents: _, ...state } = page.state();
      page.update(brushedEvents ? { ...state, brushedEvents } : state);
    },
    chooseEvents(at) {
      const { brushedEvents, events, filter } = page.state();
      const { unit = '', buckets = [] } = shownValue(events) ?? {};
      if (!brushedEvents) return;
      const [first, last] = rangeOf(brushedEvents);
      const period = periodOf(buckets, first, last);
      if (first < last) return page.actions().filterBy({ ...filter, ...period });
      const start = buckets[first]?.start ?? '';
      const number = { kind: 'number', number: { kind: 'time', unit, start }, title: timeText(start) } as const;
      page.actions().openMenu({ kind: 'period', number, period }, at);
    },
  };
}

function valueActions(
  page: EventGraphPage,
  loads: Loaders,
): Pick<DistributionActions, 'chooseEntityProperty' | 'brushValues' | 'filterByValues' | 'chooseHandover'> {
  return {
    chooseEntityProperty(valuesOf) {
      const { entityValues: _, brushedValues: _brushed, ...rest } = page.state();
      page.keep({ ...rest, valuesOf });
      loads.entityValues();
    },
    brushValues(brushedValues) {
      const { brushedValues: _, ...state } = page.state();
      page.update(brushedValues ? { ...state, brushedValues } : state);
    },
    filterByValues() {
      const { brushedValues, entityValues, filter } = page.state();
      const found = shownValue(entityValues);
      if (!brushedValues || !found) return;
      const { from, to } = rangeOfClasses(found, brushedValues);
      const { property } = found;
      page.actions().filterBy(withValue(filter, { property, ...(from && { from }), ...(to && { to }) }));
    },
    chooseHandover(handoverBy) {
      const { handover: _, handoverBy: _before, ...rest } = page.state();
      if (handoverBy === '') return page.keep(rest);
      page.keep({ ...rest, handoverBy });
      loads.handover();
    },
  };
}
