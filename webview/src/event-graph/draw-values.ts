import { type TemplateResult, html, nothing } from 'lit';
import type { EntityTimeline, ValueChange } from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';

/** Number of properties shown by default: those with the most values. */
const fewProperties = 4;

/** The names of the properties whose values a timeline shows. */
export function shownProperties(
  { values: { properties } }: EntityTimeline,
  chosen: EventGraphState['shownValues'],
): ReadonlySet<string> {
  if (chosen) return new Set(chosen);
  const changing = properties.filter(({ changes }) => changes > 1);
  const most = [...changing].sort((one, other) => other.changes - one.changes).slice(0, fewProperties);
  return new Set(most.map(({ name }) => name));
}

/** Chooses properties; the number of values of each can be opened. */
export function drawPropertyChoice(
  { entity, values: { properties } }: EntityTimeline,
  shown: ReadonlySet<string>,
  actions: EventGraphActions,
): TemplateResult | typeof nothing {
  if (properties.length === 0) return nothing;
  const choose = (name: string, isShown: boolean): void =>
    actions.showValues(
      properties.map((each) => each.name).filter((each) => (each === name ? isShown : shown.has(each))),
    );
  const count = properties.filter(({ name }) => shown.has(name)).length;
  return html`<details class="property-choice">
    <summary>
      ${t('Values over time')} <span class="muted">${t('{0} of {1} properties', count, properties.length)}</span>
    </summary>
    <div class="buttons">
      ${button(t('Show All'), () => actions.showValues(properties.map(({ name }) => name)), { appearance: 'small' })}
      ${button(t('Show None'), () => actions.showValues([]), { appearance: 'small' })}
    </div>
    <ul aria-label=${t('Properties')}>
      ${properties.map(
        ({ name, changes }) =>
          html`<li>
            <label class="check">
              <input
                type="checkbox"
                .checked=${shown.has(name)}
                @change=${(event: Event) => choose(name, (event.target as HTMLInputElement).checked)}
              /><span class="clip" title=${name}>${name}</span>
            </label>
            <span class="muted"
              >${drawNumber(
                changes === 1 ? t('1 value') : t('{0} values', changes.toLocaleString()),
                { kind: 'history', entity: entity.id, property: name },
                `${entity.key}: ${name}`,
                actions,
              )}</span
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

/** The values that change at one place of the timeline. */
export function drawChanges(
  changes: readonly ValueChange[],
  shown: ReadonlySet<string>,
): TemplateResult | typeof nothing {
  const own = changes.filter(({ property }) => shown.has(property));
  if (own.length === 0) return nothing;
  return html`<ul class="changes" aria-label=${t('Values')}>
    ${own.map(
      ({ property, before, after }) =>
        html`<li class="change">
          <span class="muted">${property}</span>
          ${before === undefined ? nothing : html`<span class="before">${drawValue(before)}</span><span class="muted">→</span>`}
          <span>${drawValue(after)}</span>
        </li>`,
    )}
  </ul>`;
}

function drawValue(value: string): TemplateResult | string {
  return value === '' ? html`<em>${t('empty')}</em>` : value;
}
