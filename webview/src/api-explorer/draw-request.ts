import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ApiEndpoint, KnownParameter } from '../../../protocol/api-explorer.ts';
import type { EndpointMethod } from '../../../protocol/platform-actions.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { type ComboboxOptions, combobox } from '../ui/combobox.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { completeColumns, completeQuery } from './complete-value.ts';
import { type ExplorerActions, type ExplorerState, columnsOf, endpointOf, placeholderIn } from './explorer-state.ts';

const methods: readonly EndpointMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** The request form, and the request as it will be sent. */
export function drawRequest(state: ExplorerState, actions: ExplorerActions): TemplateResult {
  const { view, request, answer, wrong } = state;
  const placeholder = placeholderIn(request.path);
  const endpoint = endpointOf(state);
  const choices = (view?.endpoints ?? []).map(({ label, method, path, summary }) => ({
    value: label,
    detail: [`${method} ${path}`, summary].filter((each) => each !== undefined && each !== label).join(' · '),
  }));
  return html`<form
    class="request"
    aria-label=${t('Request')}
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.send();
    }}
  >
    <div class="endpoint">
      ${combobox(t('Endpoint'), endpoint?.label ?? '', choices, actions.choose, { id: 'endpoint', placeholder: t('Choose, or write a path below'), searchDetails: true })}
      ${endpoint?.summary === undefined ? nothing : html`<p class="muted">${endpoint.summary}</p>`}
      ${(endpoint?.notes ?? []).map((note) => html`<p class="note">${icon('warning')} ${note}</p>`)}
    </div>
    <div class="line">
      <label class="unseen" for="method">${t('Method')}</label>
      <select
        id="method"
        class="input"
        .value=${live(request.method)}
        @change=${(event: Event) => actions.change({ method: (event.target as HTMLSelectElement).value as EndpointMethod })}
      >
        ${methods.map((method) => html`<option value=${method} ?selected=${method === request.method}>${method}</option>`)}
      </select>
      <label class="unseen" for="path">${t('Path')}</label>
      <input
        id="path"
        class="input"
        spellcheck="false"
        placeholder="/path"
        aria-describedby=${placeholder === undefined ? nothing : 'path-hint'}
        .value=${live(request.path)}
        @input=${(event: InputEvent) => {
          actions.change({ path: (event.target as HTMLInputElement).value });
          if (event.inputType === 'insertFromPaste') actions.takePathApart();
        }}
        @change=${actions.takePathApart}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || placeholder === undefined) return;
          event.preventDefault();
          actions.takePathApart();
          actions.selectPlaceholder();
        }}
      />
      ${
        answer.kind === 'sending'
          ? button(t('Cancel'), actions.cancel)
          : button(html`${icon('play')} ${t('Send')}`, undefined, {
              id: 'send',
              submits: true,
              appearance: 'primary',
              disabled: wrong !== undefined || request.path === '' || placeholder !== undefined,
            })
      }
    </div>
    ${
      placeholder === undefined
        ? nothing
        : html`<p id="path-hint" class="muted">${placeholderHint(placeholder.text, endpoint)}</p>`
    }
    ${drawParameters(state, actions)} ${request.method === 'GET' ? nothing : drawBody(request.body, actions)}
    ${drawText(state, actions)}
  </form>`;
}

const placeholders: Readonly<Record<string, () => string>> = {
  SYS_ID: () => t('Replace SYS_ID by the sys_id of a record.'),
  TABLE: () => t('Replace TABLE by the name of a table.'),
  STAGING_TABLE: () => t('Replace STAGING_TABLE by the name of a staging table.'),
};

function placeholderHint(placeholder: string, endpoint: ApiEndpoint | undefined): string {
  const own = placeholders[placeholder]?.();
  if (own !== undefined) return own;
  const known = endpoint?.pathParameters?.find(({ name }) => `{${name}}` === placeholder);
  const values = known?.values ? t('For example {0}.', known.values.join(', ')) : undefined;
  return [t('Replace {0} by a value.', placeholder), known?.hint, values].filter(Boolean).join(' ');
}

function drawParameters(state: ExplorerState, actions: ExplorerActions): TemplateResult {
  const { parameters } = state.request;
  const known = endpointOf(state)?.parameters ?? [];
  const names = known.map(({ name, hint, required }) => ({
    value: name,
    detail: [required ? t('required') : '', hint].filter(Boolean).join(' · '),
  }));
  return html`<fieldset class="parameters">
    <legend>${t('Parameters')}</legend>
    ${parameters.map(({ name, value }, index) => {
      const own = known.find((each) => each.name === name);
      const values = (own?.values ?? []).map((each) => ({ value: each }));
      const complete = completionOf(state, own);
      const number = index + 1;
      return html`<div class="parameter">
        ${combobox(t('Name of parameter {0}', number), name, names, (text) => actions.setParameter(index, { name: text }), { unseenLabel: true, placeholder: t('name') })}
        ${combobox(t('Value of parameter {0}', number), value, values, (text) => actions.setParameter(index, { value: text }), { unseenLabel: true, placeholder: own?.required ? t('value, required') : t('value'), required: own?.required ?? false, complete })}
        ${button(icon('trash'), () => actions.removeParameter(index), { appearance: 'icon', label: t('Remove parameter {0}', name || number), title: t('Remove') })}
      </div>`;
    })}
    ${button(html`${icon('add')} ${t('Add Parameter')}`, actions.addParameter, { appearance: 'labelled' })}
  </fieldset>`;
}

/** Completion of a value that names columns of a known table. */
function completionOf(state: ExplorerState, parameter: KnownParameter | undefined): ComboboxOptions['complete'] {
  const columns = columnsOf(state);
  if (parameter?.names === undefined || !columns) return undefined;
  const complete = parameter.names === 'query' ? completeQuery : completeColumns;
  return (text) => complete(text, columns);
}

function drawBody(body: string, actions: ExplorerActions): TemplateResult {
  return html`<label class="field-label" for="body">${t('Body (JSON)')}</label>
    <textarea
      id="body"
      class="input"
      rows="6"
      spellcheck="false"
      .value=${live(body)}
      @input=${(event: Event) => actions.change({ body: (event.target as HTMLTextAreaElement).value })}
    ></textarea>`;
}

function drawText({ text, wrong }: ExplorerState, actions: ExplorerActions): TemplateResult {
  return html`<div class="heading-line">
      <h2>${t('Request as it is sent')}</h2>
      ${button(html`${icon('copy')} HTTP`, () => actions.copy('copyHttp'), { appearance: 'labelled', disabled: !text })}
      ${button(html`${icon('copy')} cURL`, () => actions.copy('copyCurl'), { appearance: 'labelled', disabled: !text })}
    </div>
    ${
      wrong
        ? html`<p class="wrong-request" role="alert">${sentence(wrong.message)} ${wrong.remedy ?? ''}</p>`
        : html`<pre id="request-text" role="region" tabindex="0" aria-label=${t('Request as it is sent')}>
${text?.http ?? ''}</pre>`
    }`;
}
