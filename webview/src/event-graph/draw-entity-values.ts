import { type TemplateResult, html, nothing } from 'lit';
import type { PropertyValues } from '../../../protocol/analysis.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { withValue } from './condition-draft.ts';
import { rangeOf } from './brush.ts';
import { drawBins } from './draw-bins.ts';
import { boundText } from './draw-condition-editor.ts';
import { drawBar, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** The entities of a type by the last known values of a property. */
export function drawEntityValues(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { properties, valuesOf } = state;
  return html`<select
      class="input"
      aria-label=${t('Property')}
      @change=${(event: Event) => actions.chooseEntityProperty((event.target as HTMLSelectElement).value)}
    >
      ${valuesOf === undefined ? html`<option value="" selected>${t('Choose a property')}</option>` : nothing}
      ${(shownValue(properties) ?? []).map(
        ({ name }) => html`<option value=${name} ?selected=${valuesOf === name}>${name}</option>`,
      )}
    </select>
    ${valuesOf === undefined ? nothing : whenLoaded(state.entityValues, actions, (found) => drawFound(found, state, actions))}`;
}

function drawFound(found: PropertyValues, state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return found.classes.length > 0 ? drawClasses(found, state, actions) : drawList(found, state, actions);
}

function drawClasses(
  found: PropertyValues,
  { brushedValues }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const { classes, property } = found;
  const text = (from: number | undefined, to: number | undefined, entities: number): string =>
    t('{0} – {1}: {2} entities', boundText(from ?? 0, found), boundText(to ?? 0, found), entities.toLocaleString());
  const [first, last] = brushedValues ? rangeOf(brushedValues) : [0, -1];
  const chosen = classes.slice(first, last + 1);
  const sum = chosen.reduce((entities, each) => entities + each.entities, 0);
  return html`${drawBins({
      id: 'values-bins',
      label: t('Entities by {0}. Arrow keys choose a column, with Shift several, Enter filters by them.', property),
      bins: classes.map(({ from, to, entities }) => ({ count: entities, text: text(from, to, entities) })),
      brushed: brushedValues,
      brushing: { onBrush: actions.brushValues, onChoose: actions.filterByValues },
    })}
    <p class="muted ends">
      <span>${boundText(classes[0]?.from ?? 0, found)}</span><span>${boundText(classes.at(-1)?.to ?? 0, found)}</span>
    </p>
    ${
      chosen.length === 0
        ? html`<p class="muted">${t('Drag over columns to filter by {0}.', property)}</p>`
        : html`<p class="brush-choice" role="status">
            <span>${text(chosen[0]?.from, chosen.at(-1)?.to, sum)}</span>
            ${button(t('Only These'), actions.filterByValues, { appearance: 'small' })}
          </p>`
    }`;
}

/** A click on a value filters by it. */
function drawList(
  { property, values, others }: PropertyValues,
  { filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const most = Math.max(0, ...values.map(({ entities }) => entities));
  return html`<ul class="bars">
      ${values.map(({ value, entities }) => {
        const shown =
          value === null ? html`<em>${t('no value')}</em>` : value === '' ? html`<em>${t('empty')}</em>` : value;
        return drawBar(shown, entities, most, {
          count: html`${entities.toLocaleString()}`,
          onClick: () => actions.filterBy(withValue(filter, { property, values: [value] })),
        });
      })}
    </ul>
    <p class="muted">
      ${others > 0 ? t('{0} more values.', others.toLocaleString()) : nothing}
      ${t('Entities by their last known value. Click one to filter by it.')}
    </p>`;
}
