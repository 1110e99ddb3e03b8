import { type TemplateResult, html, nothing } from 'lit';
import type { FailureCode } from '../../../protocol/failure-codes.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { type EventGraphActions, type Loaded, shownValue } from './event-graph-state.ts';

/** A loaded value, the previous one or a placeholder while loading, or the failure. */
export function whenLoaded<T>(
  loaded: Loaded<T> | undefined,
  actions: EventGraphActions,
  draw: (value: T) => TemplateResult,
): TemplateResult {
  if (loaded?.kind === 'failed') return drawFailure(loaded.error, actions);
  const value = shownValue(loaded);
  if (value !== undefined) {
    const isRead = loaded?.kind === 'known';
    // The same element in both states, so that the focus stays.
    return html`<div class=${isRead ? 'loaded' : 'stale'} aria-busy=${isRead ? 'false' : 'true'}>${draw(value)}</div>`;
  }
  return html`<div class="waiting late" role="status" aria-label=${t('Reading the graph')}>
    <p class="muted">
      <span>${t('Reading the graph…')}</span> ${loaded?.kind === 'loading' ? elapsedTime(loaded.since) : nothing}
      ${button(t('Cancel'), actions.stopReading, { appearance: 'small' })}
    </p>
    ${[1, 2, 3, 4].map(() => html`<div class="skeleton"></div>`)}
  </div>`;
}

function drawFailure({ code, message, remedy }: Failure, actions: EventGraphActions): TemplateResult {
  const notImported = code === 'not-imported' || code === 'store-unreadable';
  return html`<section class="instead" id="failure" role="alert">
    <h2>${failureTitle(code)}</h2>
    <p>${message}</p>
    ${remedy === undefined ? nothing : html`<p>${remedy}</p>`}
    <div class="buttons">
      ${notImported ? button(html`${icon('cloud-download')} ${t('Import')}`, actions.importNow, { appearance: 'primary' }) : nothing}
      ${code === 'graph-in-source' ? button(html`${icon('cloud-download')} ${t('Fetch Graph')}`, actions.fetchGraph, { appearance: 'primary' }) : nothing}
      ${button(t('Try Again'), actions.reload)}
    </div>
  </section>`;
}

function failureTitle(code: FailureCode): string {
  if (code === 'not-imported' || code === 'store-unreadable') return t('There is no graph yet');
  if (code === 'graph-in-source') return t('The graph is in its data source');
  if (code === 'cancelled') return t('Cancelled.');
  return code === 'no-earlier-run' ? t('Nothing to compare with') : t('This did not work');
}

/** A horizontal bar with a name and a number, as a row of a table. @param count the number as it is shown */
export function drawBar(
  name: string | TemplateResult,
  amount: number,
  most: number,
  { count, onClick }: { readonly count: TemplateResult; readonly onClick?: (() => void) | undefined },
): TemplateResult {
  const share = most === 0 ? 0 : (amount / most) * 100;
  const content = html`<span class="bar-name clip" title=${typeof name === 'string' ? name : nothing}>${name}</span>
    <span class="bar-track"><span class="bar-fill" .style=${`width: ${share}%`}></span></span>`;
  return html`<li class="counted">
    ${onClick ? button(content, onClick, { appearance: 'bare', className: 'bar' }) : html`<div class="bar">${content}</div>`}
    <span class="bar-count">${count}</span>
  </li>`;
}

/** Date and time in UTC, as in the graph. */
export function timeText(iso: string): string {
  return iso
    .replace('T', ' ')
    .replace(/(\.\d*?)0*Z$/, '$1')
    .replace(/[.Z]+$/, '');
}
