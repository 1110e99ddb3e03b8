import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { ApiExchange } from '../../../protocol/api-explorer.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { type ExplorerActions, type ExplorerState, type Tab, canBeAdded, tabs } from './explorer-state.ts';

/** The response: status, headers, body, and the columns of its records. */
export function drawAnswer(state: ExplorerState, actions: ExplorerActions): TemplateResult {
  const { answer } = state;
  if (answer.kind === 'none') {
    return html`<section class="answer" aria-label=${t('Answer')}>
      <p class="muted">${t('The answer will be here.')}</p>
    </section>`;
  }
  if (answer.kind === 'sending') {
    return html`<section class="answer" aria-label=${t('Answer')}>
      <p role="status">${icon('loading')} ${t('Waiting for the answer…')} ${elapsedTime(answer.since)}</p>
    </section>`;
  }
  if (answer.kind === 'failure') {
    const { message, remedy } = answer.error;
    return html`<section class="answer" aria-label=${t('Answer')}>
      <p class="wrong-request" role="alert">${sentence(message)} ${remedy ?? ''}</p>
    </section>`;
  }
  const { exchange, request } = answer;
  const isOther = JSON.stringify(request) !== JSON.stringify(state.request);
  return html`<section class="answer" aria-label=${t('Answer')}>
    <div class="heading-line">
      <p id="status" role="status" class=${exchange.status < 400 ? 'good' : 'bad'}>${statusText(exchange)}</p>
      ${
        exchange.body === ''
          ? nothing
          : button(html`${icon('go-to-file')} ${t('Open')}`, actions.openAnswer, {
              appearance: 'labelled',
              title: t('Open the whole answer in an editor'),
            })
      }
      ${
        canBeAdded(state)
          ? button(html`${icon('add')} ${t('Add to Data Source')}`, actions.addToSource, { appearance: 'small' })
          : nothing
      }
    </div>
    ${isOther ? html`<p class="muted answered">${t('Answer to {0}', `${request.method} ${request.path}`)}</p>` : nothing}
    <div
      class="tabs"
      role="tablist"
      aria-label=${t('Parts of the answer')}
      @keydown=${(event: KeyboardEvent) => press(event, state.tab, actions)}
    >
      ${tabs.map((tab) =>
        button(titles[tab](exchange), () => actions.show(tab), {
          id: `tab-${tab}`,
          role: 'tab',
          appearance: 'labelled',
          selected: tab === state.tab,
          controls: 'answer-part',
          tabindex: tab === state.tab ? 0 : -1,
        }),
      )}
    </div>
    <div id="answer-part" role="tabpanel" tabindex="0" aria-labelledby=${`tab-${state.tab}`}>
      ${guard([exchange, state.tab], () => parts[state.tab](exchange))}
    </div>
  </section>`;
}

function press(event: KeyboardEvent, tab: Tab, actions: ExplorerActions): void {
  const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const next = step === 0 ? undefined : tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
  if (!next) return;
  event.preventDefault();
  actions.show(next);
  document.getElementById(`tab-${next}`)?.focus();
}

const titles: Readonly<Record<Tab, (exchange: ApiExchange) => string>> = {
  body: () => t('Body'),
  headers: ({ headers }) => t('Headers ({0})', headers.length),
  columns: ({ columns }) => t('Columns ({0})', columns.length),
};

const parts: Readonly<Record<Tab, (exchange: ApiExchange) => TemplateResult>> = {
  body: ({ body, isCut, isPart }) =>
    html`<pre>${body === '' ? t('(empty)') : body}</pre>
      ${
        isCut
          ? html`<p class="muted">
              ${isPart ? t('The answer is larger than the part that is read: request less to see its records.') : t('The rest is cut off here: Open shows all of it.')}
            </p>`
          : nothing
      }`,
  headers: ({ headers }) =>
    table(
      [t('Header'), t('Value')],
      headers.map(({ name, value }) => [name, value]),
    ),
  columns: ({ columns, list, recordCount }) =>
    columns.length === 0
      ? html`<p class="muted">${t('There is no list of records in the answer.')}</p>`
      : html`<p class="muted">
            ${list?.records ? t('{0} records at {1}', recordCount ?? 0, list.records) : t('{0} records', recordCount ?? 0)}
          </p>
          ${table(
            [t('Column'), t('Type')],
            columns.map(({ name, type }) => [name, type]),
          )}`,
};

function table(header: readonly string[], rows: readonly (readonly string[])[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        ${header.map((text) => html`<th scope="col">${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((text) => html`<td>${text}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function statusText({ status, reason, durationMs, bytes }: ApiExchange): string {
  const size = bytes < 1000 ? t('{0} bytes', bytes) : `${(bytes / 1000).toFixed(1)} kB`;
  return [[t('Status {0}', status), reason].filter(Boolean).join(' '), t('{0} ms', durationMs), size].join(' · ');
}
