import { type TemplateResult, html, nothing, render } from 'lit';
import type { ApiRequest } from '../../../protocol/api-explorer.ts';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import { dialogStyles } from '../dialogs/dialog-styles.ts';
import { openExtensionChannel } from '../extension-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { t } from '../ui/translate.ts';
import { drawAnswer } from './draw-answer.ts';
import { drawRequest } from './draw-request.ts';
import {
  type ExplorerActions,
  type ExplorerState,
  type SavedState,
  chosenRequest,
  firstState,
  afterMessage,
  requestWithParsedPath,
  placeholderIn,
} from './explorer-state.ts';
import { explorerStyles } from './explorer-styles.ts';
import { icon } from '../ui/icons.ts';

installStyles(dialogStyles + explorerStyles);
const root = rootElement();
/** Debounce in milliseconds before the request preview is updated. */
const debounceMs = 150;
const previewing = createDebouncer(debounceMs, () => {
  if (state.request.path !== '') channel.post({ type: 'explore', action: { kind: 'preview', request: state.request } });
});

const channel = openExtensionChannel<SavedState>({
  explorer({ news }) {
    const before = state.request;
    update(afterMessage(state, news));
    if (news.kind === 'view' || state.request !== before) previewSoon();
  },
});

const actions: ExplorerActions = {
  choose(label) {
    setRequest(chosenRequest(state, label));
    selectPlaceholder();
  },
  change: (change) => setRequest({ ...state.request, ...change }),
  takePathApart: () => setRequest(requestWithParsedPath(state)),
  selectPlaceholder,
  setParameter: (index, change) =>
    setRequest({
      ...state.request,
      parameters: state.request.parameters.map((each, at) => (at === index ? { ...each, ...change } : each)),
    }),
  addParameter: () =>
    setRequest({ ...state.request, parameters: [...state.request.parameters, { name: '', value: '' }] }),
  removeParameter: (index) =>
    setRequest({ ...state.request, parameters: state.request.parameters.filter((_, at) => at !== index) }),
  send: () => channel.post({ type: 'explore', action: { kind: 'send', request: state.request } }),
  cancel: () => channel.post({ type: 'explore', action: { kind: 'cancel' } }),
  copy: (kind) => channel.post({ type: 'explore', action: { kind, request: state.request } }),
  addToSource() {
    if (state.answer.kind !== 'exchange') return;
    // The request of the response; the form may have changed since.
    const { request, exchange } = state.answer;
    if (exchange.list) channel.post({ type: 'explore', action: { kind: 'add', request, list: exchange.list } });
  },
  openAnswer: () => channel.post({ type: 'explore', action: { kind: 'open' } }),
  show: (tab) => update({ ...state, tab }),
};

let state: ExplorerState = { ...firstState, ...channel.kept };
// A response that was pending when the page was hidden is ignored.
if (state.answer.kind === 'sending') state = { ...state, answer: { kind: 'none' } };

function setRequest(request: ApiRequest): void {
  update({ ...state, request });
  previewSoon();
}

/** Selects a path parameter, so that typing replaces it. */
function selectPlaceholder(): void {
  const placeholder = placeholderIn(state);
  const input = document.querySelector<HTMLInputElement>('#path');
  if (placeholder === undefined || !input) return;
  input.focus();
  input.setSelectionRange(placeholder.at, placeholder.at + placeholder.text.length);
}

function previewSoon(): void {
  previewing.schedule();
}

function update(next: ExplorerState): void {
  state = next;
  const { request, answer, tab, view } = state;
  channel.keep({ request, answer, tab });
  render(
    html`<header class="tools">
        <h1>${view ? t('API of {0}', view.dataSource) : 'API'}</h1>
        <p class="muted clip">${view?.address ?? ''}</p>
      </header>
      ${drawWarnings(view?.warnings ?? [])}
      <div class="explorer">${drawRequest(state, actions)} ${drawAnswer(state, actions)}</div>`,
    root,
  );
}

whenLoaded(() => update(state));

/** Warnings about missing endpoints: a single one at once, several on demand. */
function drawWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
  const [first, ...others] = warnings;
  if (first === undefined) return nothing;
  if (others.length === 0) return html`<p class="warnings" role="note">${icon('warning')} ${first}</p>`;
  return html`<details class="warnings">
    <summary>${icon('warning')} ${t('{0} warnings: some endpoints are not proposed', warnings.length)}</summary>
    <ul>
      ${warnings.map((warning) => html`<li>${warning}</li>`)}
    </ul>
  </details>`;
}
