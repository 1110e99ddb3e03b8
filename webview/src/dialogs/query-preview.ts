import { type TemplateResult, html, nothing } from 'lit';
import type { CanvasIntent } from '../../../protocol/canvas-intents.ts';
import type { CellMark, Failure, QueryTarget, RefusedQuery, TestQueryResult } from '../../../protocol/query-results.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/button.ts';
import { drawCellMark } from '../ui/draw-cell-mark.ts';
import { drawShownText } from '../ui/draw-shown-text.ts';
import { icon } from '../ui/icons.ts';
import { drawRefusedQuery, refusedQueryTitle, showOffending } from '../ui/refused-query.ts';
import { t } from '../ui/translate.ts';

/** Row limit in dialogs; the results panel shows more. */
const maxRows = 20;

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | { readonly kind: 'result'; readonly result: TestQueryResult }
  | { readonly kind: 'failure'; readonly error: Failure };

/** Test Query and Show Query for the values of a dialog. */
export interface QueryPreview {
  test(target: QueryTarget, draft: CanvasIntent): Promise<void>;
  show(target: QueryTarget, draft: CanvasIntent): Promise<void>;
  cancel(): void;
  readonly running: boolean;
  draw(): TemplateResult | typeof nothing;
}

export function createQueryPreview(ask: Ask, update: () => void): QueryPreview {
  let state: State = { kind: 'none' };
  let running: AbortController | undefined;

  function become(next: State): void {
    state = next;
    update();
  }

  async function run(work: (signal: AbortSignal) => Promise<State>): Promise<void> {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    become({ kind: 'running' });
    const next = await work(mine.signal);
    if (running !== mine) return;
    running = undefined;
    become(next);
  }

  return {
    get running() {
      return running !== undefined;
    },
    test: (target, draft) =>
      run(async (signal) => {
        const outcome = await ask('testQuery', { target, draft }, signal);
        return outcome.ok ? { kind: 'result', result: outcome.value } : { kind: 'failure', error: outcome.error };
      }),
    show: (target, draft) =>
      run(async (signal) => {
        const outcome = await ask('showQuery', { target, draft }, signal);
        return outcome.ok ? { kind: 'none' } : { kind: 'failure', error: outcome.error };
      }),
    cancel() {
      running?.abort();
      running = undefined;
      become({ kind: 'none' });
    },
    draw: () => drawState(state, () => running?.abort()),
  };
}

function drawState(state: State, cancel: () => void): TemplateResult | typeof nothing {
  switch (state.kind) {
    case 'none':
      return nothing;
    case 'running':
      return html`<div class="preview running" role="status">
        <span class="late">${t('Running the query…')}</span> ${button(t('Cancel'), cancel)}
      </div>`;
    case 'failure':
      if (state.error.code === 'cancelled') {
        return html`<div class="preview" role="status"><span class="muted">${t('Cancelled.')}</span></div>`;
      }
      return html`<div class="preview failed" role="alert">
        ${icon('error')}
        <p><strong>${state.error.message}</strong> ${state.error.remedy ?? ''} ${drawPlace(state.error)}</p>
        ${state.error.query ? drawQuery(state.error.query) : nothing}
      </div>`;
    case 'result':
      return drawResult(state.result);
  }
}

/** The whole query, expanded on demand because a dialog has little space. */
function drawQuery(query: RefusedQuery): TemplateResult {
  return html`<details @toggle=${({ currentTarget }: Event) => showWhole(currentTarget as HTMLDetailsElement)}>
    <summary id="refused-query-title">${refusedQueryTitle(query)}</summary>
    ${drawRefusedQuery(query, 'refused-query-title')}
  </details>`;
}

/** It expands below the visible part of a dialog. */
function showWhole(details: HTMLDetailsElement): void {
  if (!details.open) return;
  details.scrollIntoView({ block: 'nearest' });
  showOffending(details);
}

/** The affected field and text. */
function drawPlace({ property, excerpt }: Failure): TemplateResult | typeof nothing {
  if (property === undefined || property === '') return nothing;
  const [first = ''] = (excerpt ?? '').split('\n');
  return html`<span class="muted"
    >${t('In {0}:', fieldNames[property] ?? property)} <code class="sql-wrong">${first}</code></span
  >`;
}

const fieldNames: Readonly<Record<string, string>> = {
  where: t('WHERE filter'),
  joins: t('Custom JOIN clauses'),
  startTimestamp: t('Start Timestamp'),
  changeTimestamp: t('Change Timestamp'),
  activityName: t('Activity Name'),
  dataObject: t('Data Object'),
};

function rowsText(count: number, more: boolean): string {
  if (count === 0) return t('No rows');
  if (more) return count === 1 ? t('First 1 row') : t('First {0} rows', count);
  return count === 1 ? t('1 row') : t('{0} rows', count);
}

/** Highlighted as in the results panel. */
function drawCell(value: TestQueryResult['rows'][number][number], mark: CellMark | undefined): TemplateResult {
  const shown = value === null ? html`<em class="muted">NULL</em>` : drawShownText(String(value));
  if (!mark) return html`<td>${shown}</td>`;
  return html`<td class=${`marked ${mark.severity}`} title=${mark.message}>${drawCellMark(mark)} ${shown}</td>`;
}

function drawResult({ columns, rows, truncated, durationMs, warnings, marks = [] }: TestQueryResult): TemplateResult {
  const shown = rows.slice(0, maxRows);
  const withNulls = columns.filter(({ nulls }) => nulls > 0);
  return html`<div class="preview" role="status">
    <p>
      ${rowsText(shown.length, truncated || rows.length > shown.length)} ·
      ${t('{0} ms', Math.round(durationMs))}${
        withNulls.length === 0
          ? nothing
          : html` ·
            ${withNulls.slice(0, 4).map(({ name, nulls }) => html`<span class="nulls">${icon('warning')} ${t('{0}: {1} of {2} empty', name, nulls, rows.length)}</span> `)}`
      }
    </p>
    ${warnings.map((warning) => html`<p class="muted">${icon('warning')} ${warning}</p>`)}
    ${
      shown.length === 0
        ? nothing
        : html`<div class="preview-table" tabindex="0" role="region" aria-label=${t('First rows')}>
            <table>
              <thead>
                <tr>
                  ${columns.map(({ name, type }) => html`<th scope="col">${name} <span class="muted">${type}</span></th>`)}
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  (row, place) =>
                    html`<tr>
                      ${row.map((value, column) =>
                        drawCell(
                          value,
                          marks.find((mark) => mark.row === place && mark.column === column),
                        ),
                      )}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </div>`;
}
