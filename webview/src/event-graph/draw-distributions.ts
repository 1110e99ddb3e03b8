import { type TemplateResult, html, nothing } from 'lit';
import { addCondition } from '../../../protocol/activity-conditions.ts';
import type {
  EventDistribution,
  GraphOverview,
  PropertyDistribution,
  ShownNumber,
} from '../../../protocol/event-graph.ts';
import { t, tParts } from '../ui/translate.ts';
import { drawBins } from './draw-bins.ts';
import { drawEntityValues } from './draw-entity-values.ts';
import { drawHandover } from './draw-handover.ts';
import { drawNumber } from './draw-number.ts';
import { drawBar, timeText, whenLoaded } from './draw-parts.ts';
import { unitText } from './map-words.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** Distributions of events over activities, time and property values. */
export function drawDistributionsTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const overview = shownValue(state.overview);
  if (!overview) return html``;
  return html`<div class="distributions">
    <section aria-label=${t('Activities')}>
      <h2>${t('Activities')}</h2>
      ${whenLoaded(state.events, actions, (events) => drawActivities(events, state, actions))}
    </section>
    <section aria-label=${t('Events over time')}>
      <h2>${t('Events over time')}</h2>
      ${whenLoaded(state.events, actions, (events) => drawOverTime(events, state, actions))}
    </section>
    <section aria-label=${t('Values of a property')}>
      <h2>${t('Values of a property')}</h2>
      ${
        state.filter.entityType === undefined
          ? html`${drawPropertyChoice(state, overview, actions)}
            ${state.property === undefined ? nothing : whenLoaded(state.values, actions, (values) => drawValues(values, state, actions))}`
          : drawEntityValues(state, actions)
      }
    </section>
    ${state.filter.entityType === undefined ? nothing : drawHandover(state, actions)}
  </div>`;
}

/** An activity filters by its entities. */
function drawActivities(
  { activities }: EventDistribution,
  { filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const most = Math.max(0, ...activities.map(({ events }) => events));
  return html`<ul class="bars">
    ${activities.map(({ name, events }) => {
      const number: ShownNumber = { kind: 'node', activity: name, number: 'events' };
      const condition = { activity: name, occurs: true };
      return drawBar(name, events, most, {
        count: drawNumber(events.toLocaleString(), number, name, actions),
        onClick: () => actions.filterBy({ ...filter, activities: addCondition(filter.activities ?? [], condition) }),
      });
    })}
  </ul>`;
}

/** Several columns filter; one opens its menu. */
function drawOverTime(
  { unit, buckets }: EventDistribution,
  { brushedEvents }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const most = Math.max(1, ...buckets.map(({ events }) => events));
  return html`${drawBins({
      id: 'events-over-time',
      label: t(
        'Events {0}, {1} parts, at most {2}. Arrow keys choose a column, with Shift several; Enter filters by several, and opens the menu of one.',
        unitText(unit),
        buckets.length,
        most.toLocaleString(),
      ),
      bins: buckets.map(({ start, events }) => ({
        count: events,
        text: t('{0}: {1} events', timeText(start), events.toLocaleString()),
      })),
      brushed: brushedEvents,
      brushing: { onBrush: actions.brushEvents, onChoose: actions.chooseEvents },
    })}
    <p class="muted ends">
      <span>${timeText(buckets[0]?.start ?? '').slice(0, 10)}</span><span>${unitText(unit)}</span
      ><span>${timeText(buckets.at(-1)?.start ?? '').slice(0, 10)}</span>
    </p>
    <p class="muted">${t('Drag over columns to filter by entities with events in this period.')}</p>`;
}

function drawPropertyChoice(
  { property }: EventGraphState,
  { elements }: GraphOverview,
  actions: EventGraphActions,
): TemplateResult {
  const chosen = property === undefined ? '' : `${property.element} ${property.name}`;
  return html`<select
    class="input"
    aria-label=${t('Property')}
    @change=${(event: Event) => {
      const [element = '', ...name] = (event.target as HTMLSelectElement).value.split(' ');
      if (name.length > 0) actions.chooseProperty(Number(element), name.join(' '));
    }}
  >
    <option value="" ?selected=${chosen === ''}>${t('Choose a property')}</option>
    ${elements.map(
      ({ number, name, properties }) =>
        html`<optgroup label=${name}>
          ${properties.map(
            (each) =>
              html`<option value=${`${number} ${each}`} ?selected=${chosen === `${number} ${each}`}>${each}</option>`,
          )}
        </optgroup>`,
    )}
  </select>`;
}

function drawOthers(
  { values, others }: PropertyDistribution,
  property: EventGraphState['property'],
  actions: EventGraphActions,
): readonly unknown[] {
  const shown = values.map(({ value }) => value);
  const number = (which: 'values' | 'events'): TemplateResult | string => {
    const text = others[which].toLocaleString();
    if (!property) return text;
    const { element, name } = property;
    const title = t('Other values of {0}', name);
    return drawNumber(text, { kind: 'otherValues', element, property: name, shown, number: which }, title, actions);
  };
  return tParts('{0} more values with {1} events.', number('values'), number('events'));
}

function drawValues(
  { values, others }: PropertyDistribution,
  { property, filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const most = Math.max(0, ...values.map(({ events }) => events));
  return html`<ul class="bars">
      ${values.map(({ value, events }) => {
        const shown = value === null ? html`<em>NULL</em>` : value === '' ? html`<em>${t('empty')}</em>` : value;
        const count = events.toLocaleString();
        if (!property) return drawBar(shown, events, most, { count: html`${count}` });
        const number: ShownNumber = { kind: 'value', element: property.element, property: property.name, value };
        return drawBar(shown, events, most, {
          count: drawNumber(count, number, `${property.name} = ${value ?? 'NULL'}`, actions),
          onClick: value === null ? undefined : () => actions.filterBy({ ...filter, property: { ...property, value } }),
        });
      })}
    </ul>
    <p class="muted">
      ${others.values > 0 ? drawOthers({ values, others }, property, actions) : nothing}
      ${t('Click a value to see the map of its entities.')}
    </p>`;
}
