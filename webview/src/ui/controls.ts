import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';

/** Makes the form controls known to the page; the only place that imports the archived toolkit. */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

export interface ButtonOptions {
  readonly appearance?: 'primary' | 'secondary' | 'icon';
  readonly disabled?: boolean;
  readonly title?: string;
  readonly label?: string;
  readonly id?: string;
}

/** A button; `content` is a verb, or an icon with a label. */
export function button(
  content: unknown,
  onClick: (event: Event) => void,
  { appearance = 'secondary', disabled = false, title, label, id }: ButtonOptions = {},
): TemplateResult {
  return html`<vscode-button
    id=${id ?? nothing}
    appearance=${appearance}
    ?disabled=${disabled}
    title=${title ?? nothing}
    aria-label=${label ?? nothing}
    @click=${onClick}
    >${content}</vscode-button
  >`;
}

export interface FieldOptions {
  readonly id?: string;
  readonly placeholder?: string;
  readonly hint?: string;
  readonly autofocus?: boolean;
  readonly rows?: number;
}

/** One line of text with its label above. */
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

/** Several lines of text with their label above. */
export function textArea(
  label: string,
  value: string,
  onInput: (value: string) => void,
  { id, placeholder, rows = 2 }: FieldOptions = {},
): TemplateResult {
  return html`<vscode-text-area
    id=${id ?? nothing}
    placeholder=${placeholder ?? nothing}
    rows=${rows}
    resize="vertical"
    .value=${live(value)}
    @input=${(event: Event) => onInput((event.target as HTMLTextAreaElement).value)}
    >${label}</vscode-text-area
  >`;
}

/** A checkbox; its label stands beside it. */
export function checkbox(
  label: string,
  checked: boolean,
  onChange: (checked: boolean) => void,
  { title }: { readonly title?: string } = {},
): TemplateResult {
  // The toolkit announces its own changes with `change`, also those that come from the page: only clicks are meant. The
  // listener comes first, so that a row that is used again for another column never tells the one before; the label is set, as the toolkit would
  // keep the first one for screen readers.
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

/** A short list to choose from; its label is for those who cannot see where it stands. */
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
