import { type TemplateResult, html, nothing } from 'lit';
import { exclamationMark, icon } from '../ui/icons.ts';
import { drawFailure, isCancelled } from './draw-failure.ts';
import { drawGrid } from './draw-grid.ts';
import { drawRunning } from './draw-running.ts';
import type { ResultsActions, ResultsState, Shown } from './results-state.ts';

/** The whole page: a header that says what was asked and what came, and the answer below it. */
export function drawResults(state: ResultsState, actions: ResultsActions, now: number): TemplateResult {
  const { shown } = state;
  return html`
    <header class="summary">
      ${drawTitle(shown)}
      <p class="muted clip" role="status">${summary(shown)}</p>
      ${
        shown.kind === 'running'
          ? html`<button class="button quiet small" ?disabled=${shown.cancelling} @click=${actions.cancel}>
              ${shown.cancelling ? 'Cancelling…' : 'Cancel'}
            </button>`
          : nothing
      }
    </header>
    ${shown.kind === 'result' ? drawWarnings(shown.result.warnings) : nothing} ${drawBody(state, actions, now)}
  `;
}

function drawTitle(shown: Shown): TemplateResult {
  const title = shown.kind === 'nothing' ? 'Results' : shown.title;
  return html`${shown.kind === 'failure' && !isCancelled(shown.error) ? exclamationMark() : nothing}
    <h1 class="clip" title=${title}>${title}</h1>`;
}

function summary(shown: Shown): string {
  switch (shown.kind) {
    case 'nothing':
      return '';
    case 'running':
      return 'running';
    case 'failure':
      return isCancelled(shown.error) ? 'cancelled' : 'failed';
    case 'result': {
      const { rows, truncated, durationMs } = shown.result;
      const count = rows.length.toLocaleString('en');
      const size = truncated ? `first ${count} rows` : `${count} row${rows.length === 1 ? '' : 's'}`;
      return [size, duration(durationMs), shown.source].filter((part) => part !== '').join(' · ');
    }
  }
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function drawWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
  if (warnings.length === 0) return nothing;
  return html`<ul class="warnings" aria-label="Warnings">
    ${warnings.map((warning) => html`<li>${icon('warning')} <span>${warning}</span></li>`)}
  </ul>`;
}

function drawBody(state: ResultsState, actions: ResultsActions, now: number): TemplateResult {
  const { shown } = state;
  switch (shown.kind) {
    case 'running':
      return drawRunning(shown, now);
    case 'failure':
      return drawFailure(shown.error, actions);
    case 'result':
      return shown.result.rows.length === 0 ? drawNoRows(shown.result.columns) : drawGrid(state, shown, actions);
    case 'nothing':
      return html`<section class="instead late" aria-label="No results">
        <h2>No results yet</h2>
        <p>Run <strong>Test Query</strong> on an element or a relationship to see its first rows here.</p>
      </section>`;
  }
}

function drawNoRows(columns: readonly { readonly name: string; readonly type: string }[]): TemplateResult {
  return html`<section class="instead" id="no-rows" aria-label="Empty result">
    <h2>No rows</h2>
    <p>
      The query ran, and its source has no row that matches. Check its filter and joins, and whether the table is
      filled.
    </p>
    <p class="muted">Columns: ${columns.map(({ name, type }) => `${name} (${type})`).join(', ')}</p>
  </section>`;
}
