import { type TemplateResult, html, nothing } from 'lit';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { drawMenu } from '../ui/menu.ts';
import { t, tParts } from '../ui/translate.ts';
import { drawFailure, isCancelled } from './draw-failure.ts';
import { drawGrid } from './draw-grid.ts';
import { resultMenu } from './result-menus.ts';
import type { MenuKind, ResultsActions, ResultsState, Shown } from './results-state.ts';

/** The whole page: a header with query and result size, and the result below. */
export function drawResults(state: ResultsState, actions: ResultsActions): TemplateResult {
  const { shown, menu } = state;
  return html`
    <header class="summary">
      ${drawTitle(shown)}
      <p class="muted clip" role="status" title=${(shown.kind === 'result' && shown.cap) || nothing}>
        ${summary(shown)}
      </p>
      <div class="tools">${drawTools(state, actions)}</div>
    </header>
    ${shown.kind === 'result' ? drawWarnings(shown.result.warnings) : nothing} ${drawBody(state, actions)}
    ${menu ? drawMenu(resultMenu(menu.kind, state, actions), menu.at, actions.closeMenu) : nothing}
  `;
}

function drawTitle(shown: Shown): TemplateResult {
  const title = shown.kind === 'nothing' ? t('Results') : shown.title;
  return html`${shown.kind === 'failure' && !isCancelled(shown.error) ? exclamationMark() : nothing}
    <h1 class="clip" title=${title}>${title}</h1>`;
}

function drawTools({ shown, runs, shownRun }: ResultsState, actions: ResultsActions): TemplateResult {
  if (shown.kind === 'running') {
    return button(shown.cancelling ? t('Cancelling…') : t('Cancel'), actions.cancel, {
      appearance: 'small',
      disabled: shown.cancelling,
    });
  }
  const hasRows = shown.kind === 'result' && shown.result.rows.length > 0;
  return html`
    ${shown.kind === 'result' && shown.marks.count > 0 ? drawNextMark(shown, actions) : nothing}
    ${
      shownRun === undefined
        ? nothing
        : button(icon('refresh'), actions.rerun, { appearance: 'icon', title: t('Run Again'), label: t('Run Again') })
    }
    ${hasRows ? menuButton('copy', 'copy', t('Copy'), actions) : nothing}
    ${hasRows ? menuButton('export', 'export', t('Export'), actions) : nothing}
    ${runs.length > 0 ? menuButton('history', 'history', t('Queries of This Session'), actions) : nothing}
  `;
}

function drawNextMark(
  { result }: Extract<Shown, { readonly kind: 'result' }>,
  actions: ResultsActions,
): TemplateResult {
  const hasError = result.marks?.some(({ severity }) => severity === 'error') === true;
  return button(icon(hasError ? 'error' : 'warning'), actions.goToNextMark, {
    appearance: 'icon',
    title: t('Next Marked Cell'),
    label: t('Next Marked Cell'),
  });
}

function menuButton(kind: MenuKind, iconName: string, label: string, actions: ResultsActions): TemplateResult {
  return button(
    icon(iconName),
    ({ currentTarget }: Event) => {
      const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
      actions.openMenu(kind, { x: left, y: bottom + 2 });
    },
    { appearance: 'icon', id: `${kind}-menu`, title: label, label, opensMenu: true },
  );
}

function summary(shown: Shown): string {
  switch (shown.kind) {
    case 'nothing':
      return '';
    case 'running':
      return t('running');
    case 'failure':
      return isCancelled(shown.error) ? t('cancelled') : t('failed');
    case 'result':
      return shown.summary;
  }
}

/** Size, duration and source of a query result. */
export function resultSummary({ rows, truncated, sizeLimit, durationMs }: TestQueryResult, source: string): string {
  const count = rows.length.toLocaleString('en');
  const size = truncated ? t('first {0} rows', count) : rows.length === 1 ? t('1 row') : t('{0} rows', count);
  const most = sizeLimit === undefined ? '' : t('no more than {0} MB', Math.round(sizeLimit / 2 ** 20));
  return [size, most, duration(durationMs), source].filter((part) => part !== '').join(' · ');
}

function duration(milliseconds: number): string {
  return milliseconds < 1000 ? t('{0} ms', Math.round(milliseconds)) : t('{0} s', (milliseconds / 1000).toFixed(1));
}

function drawWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
  if (warnings.length === 0) return nothing;
  return html`<ul class="warnings" aria-label=${t('Warnings')}>
    ${warnings.map((warning) => html`<li>${icon('warning')} <span>${warning}</span></li>`)}
  </ul>`;
}

function drawBody(state: ResultsState, actions: ResultsActions): TemplateResult {
  const { shown } = state;
  switch (shown.kind) {
    case 'running':
      return drawRunning(shown);
    case 'failure':
      return drawFailure(shown.error, actions);
    case 'result':
      return shown.result.rows.length === 0 ? drawNoRows(shown.result.columns) : drawGrid(state, shown, actions);
    case 'nothing':
      return html`<section class="instead late" aria-label=${t('No results')}>
        <h2>${t('No results yet')}</h2>
        <p>
          ${tParts('Run {0} on an element or a relationship to see its first rows here.', html`<strong>${t('Test Query')}</strong>`)}
        </p>
      </section>`;
  }
}

function drawNoRows(columns: readonly { readonly name: string; readonly type: string }[]): TemplateResult {
  return html`<section class="instead" id="no-rows" aria-label=${t('Empty result')}>
    <h2>${t('No rows')}</h2>
    <p>
      ${t('The query ran, and its source has no row that matches. Check its filter and joins, and whether the table is filled.')}
    </p>
    <p class="muted">${t('Columns: {0}', columns.map(({ name, type }) => `${name} (${type})`).join(', '))}</p>
  </section>`;
}

/** A skeleton of the rows to come, below the current step and its duration. */
function drawRunning({ since, step }: Extract<Shown, { readonly kind: 'running' }>): TemplateResult {
  return html`<section class="running late" aria-label=${t('Running')} aria-busy="true">
    <p class="muted waiting">
      <span class="clip" id="step" title=${step ?? nothing}>${step ?? t('Waiting for the first rows')}</span>
      ${elapsedTime(since)}
    </p>
    ${Array.from({ length: 6 }, () => html`<div class="skeleton" aria-hidden="true"></div>`)}
  </section>`;
}
