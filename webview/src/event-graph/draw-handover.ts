import { type TemplateResult, html, nothing } from 'lit';
import type { StepsAnswer } from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { t } from '../ui/translate.ts';
import { whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** Values of the matrix. */
const mostValues = 12;
/** Pairs of the list. */
const mostPairs = 25;

/** Which value of a property follows which, where it changes from one event to the next. */
export function drawHandover(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { handoverBy, handover, properties } = state;
  const names = (shownValue(properties) ?? []).filter(({ isOfEvents }) => isOfEvents);
  return html`<section class="handover" aria-label=${t('Handover')}>
    <h2>${t('Handover')}</h2>
    <select
      class="input"
      id="handover-by"
      aria-label=${t('Handover between values of')}
      @change=${(event: Event) => actions.chooseHandover((event.target as HTMLSelectElement).value)}
    >
      <option value="" ?selected=${handoverBy === undefined}>${t('Choose a property')}</option>
      ${names.map(({ name }) => html`<option value=${name} ?selected=${handoverBy === name}>${name}</option>`)}
    </select>
    ${
      handoverBy === undefined
        ? html`<p class="muted">
            ${t('How often a value of the property is followed by which other value, from one event of an entity to the next, and how long that takes: such as who passes work to whom.')}
          </p>`
        : whenLoaded(handover, actions, drawMatrix)
    }
  </section>`;
}

function drawMatrix({ rows: pairs, all }: StepsAnswer): TemplateResult {
  if (pairs.length === 0) {
    return html`<p class="muted">${t('The value never changes from one event of an entity to the next.')}</p>`;
  }
  const weight = new Map<string, number>();
  for (const { source, target, count } of pairs) {
    for (const value of [source, target]) weight.set(value, (weight.get(value) ?? 0) + count);
  }
  const values = [...weight].toSorted((one, other) => other[1] - one[1]).map(([value]) => value);
  const shown = values.slice(0, mostValues);
  const at = new Map(pairs.map((pair) => [JSON.stringify([pair.source, pair.target]), pair]));
  const most = Math.max(...pairs.map(({ count }) => count));
  const times = pairs.reduce((sum, { count }) => sum + count, 0);
  const told = [pairs.length.toLocaleString(), all.toLocaleString(), times.toLocaleString()] as const;
  return html`<p>${t('{0} of {1} pairs of values, {2} times together.', ...told)}</p>
    <div class="matrix">
      <table aria-label=${t('Handover')}>
        <thead>
          <tr>
            <th scope="col">${t('from ↓ to →')}</th>
            ${shown.map((value) => html`<th scope="col" title=${value}><span class="clip">${value}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (source) =>
              html`<tr>
                <th scope="row" title=${source}><span class="clip">${source}</span></th>
                ${shown.map((target) => {
                  const pair = at.get(JSON.stringify([source, target]));
                  if (!pair) return html`<td></td>`;
                  const share = Math.round(35 * Math.sqrt(pair.count / most));
                  return html`<td
                    .style=${`background: color-mix(in srgb, var(--vscode-charts-blue) ${share}%, transparent)`}
                    title=${t('{0} → {1}: {2} times, median {3}', source, target, pair.count.toLocaleString(), durationText(pair.median))}
                  >
                    ${pair.count.toLocaleString()}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${values.length > shown.length ? html`<p class="muted">${t('The {0} values with most handovers, of {1}.', shown.length.toLocaleString(), values.length.toLocaleString())}</p>` : nothing}
    <details>
      <summary>${t('Most frequent handovers')}</summary>
      <table class="groups">
        <thead>
          <tr>
            <th scope="col">${t('Handover')}</th>
            <th scope="col">${t('Times')}</th>
            <th scope="col">${t('Median time')}</th>
          </tr>
        </thead>
        <tbody>
          ${pairs.slice(0, mostPairs).map(
            ({ source, target, count, median }) =>
              html`<tr>
                <th scope="row">${source} → ${target}</th>
                <td>${count.toLocaleString()}</td>
                <td>${durationText(median)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
}
