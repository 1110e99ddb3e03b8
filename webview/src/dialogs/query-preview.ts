import { type TemplateResult, html, nothing } from 'lit';
import type { CanvasIntent } from '../../../protocol/canvas-intents.ts';
import type { Failure, QueryTarget, TestQueryResult } from '../../../protocol/query-results.ts';
import type { Ask } from '../request-channel.ts';
import { button } from '../ui/controls.ts';
import { icon } from '../ui/icons.ts';

/** Rows that a dialog has room for; the results panel shows more. */
const maxRows = 20;

type State =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | { readonly kind: 'result'; readonly result: TestQueryResult }
  | { readonly kind: 'failure'; readonly error: Failure };

/** Test Query and Show Query of what a dialog holds. */
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
        <span class="late">Running the query…</span> ${button('Cancel', cancel)}
      </div>`;
    case 'failure':
      if (state.error.code === 'cancelled') {
        return html`<div class="preview" role="status"><span class="muted">Cancelled.</span></div>`;
      }
      return html`<div class="preview failed" role="alert">
        ${icon('error')}
        <p><strong>${state.error.message}</strong> ${state.error.remedy ?? ''} ${drawPlace(state.error)}</p>
      </div>`;
    case 'result':
      return drawResult(state.result);
  }
}

/** Which field it is about, and the text in it that is meant. */
function drawPlace({ property, excerpt }: Failure): TemplateResult | typeof nothing {
  if (property === undefined || property === '') return nothing;
  const [first = ''] = (excerpt ?? '').split('\n');
  return html`<span class="muted"
    >In ${fieldNames[property] ?? property}: <code class="sql-wrong">${first}</code></span
  >`;
}

const fieldNames: Readonly<Record<string, string>> = {
  where: 'WHERE filter',
  joins: 'Custom JOIN clauses',
  startTimestamp: 'Start Timestamp',
  changeTimestamp: 'Change Timestamp',
  activityName: 'Activity Name',
  dataObject: 'Data Object',
};

function drawResult({ columns, rows, truncated, durationMs, warnings }: TestQueryResult): TemplateResult {
  const shown = rows.slice(0, maxRows);
  const withNulls = columns.filter(({ nulls }) => nulls > 0);
  const more = truncated || rows.length > shown.length;
  return html`<div class="preview" role="status">
    <p>
      ${rows.length === 0 ? 'No rows' : `${more ? 'First ' : ''}${shown.length} ${shown.length === 1 ? 'row' : 'rows'}`}
      · ${Math.round(durationMs)}
      ms${
        withNulls.length === 0
          ? nothing
          : html` ·
            ${withNulls.slice(0, 4).map(({ name, nulls }) => html`<span class="nulls">${icon('warning')} ${name}: ${nulls} of ${rows.length} empty</span> `)}`
      }
    </p>
    ${warnings.map((warning) => html`<p class="muted">${icon('warning')} ${warning}</p>`)}
    ${
      shown.length === 0
        ? nothing
        : html`<div class="preview-table" tabindex="0" role="region" aria-label="First rows">
            <table>
              <thead>
                <tr>
                  ${columns.map(({ name, type }) => html`<th scope="col">${name} <span class="muted">${type}</span></th>`)}
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  (row) =>
                    html`<tr>
                      ${row.map((value) => html`<td>${value === null ? html`<em class="muted">NULL</em>` : String(value)}</td>`)}
                    </tr>`,
                )}
              </tbody>
            </table>
          </div>`
    }
  </div>`;
}
