import { type TemplateResult, html } from 'lit';
import type { Shown } from './results-state.ts';

/** Rows of grey where the answer will be; the time appears when it starts to matter. */
export function drawRunning(shown: Extract<Shown, { readonly kind: 'running' }>, now: number): TemplateResult {
  const seconds = Math.floor((now - shown.since) / 1000);
  return html`<section class="running late" aria-label="Running" aria-busy="true">
    <p class="muted">${seconds < 1 ? 'Waiting for the first rows' : `Waiting for the first rows, ${seconds} s`}</p>
    ${Array.from({ length: 6 }, () => html`<div class="skeleton" aria-hidden="true"></div>`)}
  </section>`;
}
