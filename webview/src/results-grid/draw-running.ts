import { type TemplateResult, html } from 'lit';
import { t } from '../ui/translate.ts';
import type { Shown } from './results-state.ts';

/** Placeholder rows of a running query; the elapsed time appears after a while. */
export function drawRunning(shown: Extract<Shown, { readonly kind: 'running' }>, now: number): TemplateResult {
  const seconds = Math.floor((now - shown.since) / 1000);
  return html`<section class="running late" aria-label=${t('Running')} aria-busy="true">
    <p class="muted">
      ${seconds < 1 ? t('Waiting for the first rows') : t('Waiting for the first rows, {0} s', seconds)}
    </p>
    ${Array.from({ length: 6 }, () => html`<div class="skeleton" aria-hidden="true"></div>`)}
  </section>`;
}
