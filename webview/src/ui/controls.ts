import {
  provideVSCodeDesignSystem,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

/** Registers the form controls; the only module that imports the archived toolkit. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

interface FieldOptions {
  readonly id?: string;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly autofocus?: boolean;
  readonly rows?: number;
}

/** A single-line text field with its label above. */
export function textField(
  label: string,
  value: string,
  onInput: (value: string) => void,
  { id, placeholder, hint, autofocus = false }: FieldOptions = {},
): TemplateResult {
  return html`<vscode-text-field
    id=${id ?? nothing}
    placeholder=${placeholder ?? nothing}
    title=${hint ?? nothing}
    ?autofocus=${autofocus}
    .value=${live(value)}
    @input=${(event: Event) => onInput((event.target as HTMLInputElement).value)}
    >${label}</vscode-text-field
  >`;
}

/** A multi-line text field with its label above. */
export function textArea(
  label: string,
  value: string,
  onInput: (value: string) => void,
  { id, placeholder, rows = 2, autofocus = false }: FieldOptions = {},
): TemplateResult {
  return html`<vscode-text-area
    id=${id ?? nothing}
    placeholder=${placeholder ?? nothing}
    rows=${rows}
    ?autofocus=${autofocus}
    resize="vertical"
    .value=${live(value)}
    @input=${(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}
    >${label}</vscode-text-area
  >`;
}

/** A checkbox with its label beside it. */
export function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
  { title }: { readonly title?: string } = {},
): TemplateResult {
  // The toolkit also fires `change` for programmatic changes, so the click is used. The listener is bound first, so
  // that a reused row never notifies its former column. The label is set explicitly, as the toolkit would keep the
  // first one for screen readers.
  return html`<vscode-checkbox
    @change=${(event: Event) => {
      const now = (event.target as HTMLInputElement).checked;
      if (now !== checked) onChange(now);
    }}
    .checked=${live(checked)}
    title=${title ?? nothing}
    aria-label=${label}
    ><span class="clip">${label}</span></vscode-checkbox
  >`;
}

/** A dropdown list; its label is for screen readers. */
export function dropdown(
  label: string,
  value: string,
  options: readonly string[],
  onChange: (value: string) => void,
): TemplateResult {
  return html`<vscode-dropdown
    aria-label=${label}
    @change=${(event: Event) => {
      const now = (event.target as HTMLSelectElement).value;
      if (now !== value) onChange(now);
    }}
    .value=${live(value)}
  >
    ${options.map((option) => html`<vscode-option value=${option} ?selected=${option === value}>${option}</vscode-option>`)}
  </vscode-dropdown>`;
}
