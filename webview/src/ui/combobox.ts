import { LitElement, type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import { t } from './translate.ts';

/** An item of a combobox. */
export interface Choice {
  readonly value: string;
  /** Displayed text of a long value. */
  readonly shown?: string;
  /** Details, such as the type of a column. */
  readonly detail?: string;
  /** Why it is unsuitable, such as `no timestamp`. */
  readonly doubt?: string | undefined;
}

/** Maximum number of rendered items. */
const maxShown = 100;

/** A text field with filtered suggestions; any text is allowed. Fires `change` with the text. */
class Combobox extends LitElement {
  static override readonly properties = {
    label: {},
    value: {},
    choices: { attribute: false },
    complete: { attribute: false },
    required: { type: Boolean },
    placeholder: {},
    problem: {},
    unseenLabel: { type: Boolean },
    searchDetails: { type: Boolean },
    open: { state: true },
    typed: { state: true },
    active: { state: true },
  };

  declare label: string;
  declare value: string;
  declare choices: readonly Choice[];
  /** Suggestions for the current text, instead of `choices`. */
  declare complete: ((text: string) => readonly Choice[]) | undefined;
  declare required: boolean;
  declare placeholder: string;
  declare problem: string;
  declare unseenLabel: boolean;
  declare searchDetails: boolean;
  declare private open: boolean;
  declare private typed: string | undefined;
  declare private active: number;

  static #count = 0;
  readonly #id = `combobox-${(Combobox.#count += 1)}`;

  constructor() {
    super();
    Object.assign(this, { label: '', value: '', choices: [], required: false, placeholder: '', problem: '' });
    Object.assign(this, {
      unseenLabel: false,
      complete: undefined,
      searchDetails: false,
      open: false,
      typed: undefined,
      active: -1,
    });
  }

  /** Without a shadow root, so that styles and labels of the page apply. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override focus(): void {
    this.#input?.focus();
  }

  get #input(): HTMLInputElement | null {
    return this.querySelector('input');
  }

  get #shown(): readonly Choice[] {
    if (this.complete) return this.complete(this.typed ?? this.value);
    const text = this.typed?.toLowerCase().trim() ?? '';
    if (text === '') return this.choices;
    const has = (words: string | undefined): boolean => words?.toLowerCase().includes(text) ?? false;
    const named = this.choices.filter(({ value }) => has(value));
    if (!this.searchDetails) return named;
    return [...named, ...this.choices.filter(({ value, detail }) => !has(value) && has(detail))];
  }

  protected override updated(): void {
    const list = this.querySelector<HTMLElement>('[popover]');
    const input = this.#input;
    if (!list || !input) return;
    // Announces no missing match when any text is allowed.
    const isListed = this.open && (!this.complete || this.#shown.length > 0);
    if (isListed && !list.matches(':popover-open')) {
      list.showPopover();
      const { left, bottom, top, width } = input.getBoundingClientRect();
      const below = window.innerHeight - bottom;
      const height = Math.min(240, Math.max(below, top) - 8);
      list.style.cssText = `left: ${left}px; min-width: ${width}px; max-height: ${height}px; ${
        below >= height ? `top: ${bottom + 2}px` : `bottom: ${window.innerHeight - top + 2}px; top: auto`
      }`;
    } else if (!isListed && list.matches(':popover-open')) list.hidePopover();
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const id = this.#id;
    const shown = this.open ? this.#shown : [];
    return html`
      <label for=${id} class=${this.unseenLabel ? 'unseen' : 'field-label'}
        >${this.label}${this.required ? html`<span aria-hidden="true"> *</span>` : nothing}</label
      >
      <div class=${`combobox input ${this.problem ? 'wrong' : ''}`}>
        <input
          id=${id}
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          aria-expanded=${this.open ? 'true' : 'false'}
          aria-controls=${`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant=${this.open && this.active >= 0 ? `${id}-${this.active}` : nothing}
          aria-required=${this.required ? 'true' : 'false'}
          aria-invalid=${this.problem ? 'true' : 'false'}
          aria-describedby=${this.problem ? `${id}-problem` : nothing}
          placeholder=${this.placeholder}
          .value=${live(this.typed ?? this.value)}
          @input=${(event: Event) => this.#type((event.target as HTMLInputElement).value)}
          @keydown=${(event: KeyboardEvent) => this.#press(event)}
          @click=${() => (this.open = true)}
          @blur=${() => this.#leave()}
        />
        <span
          class="codicon codicon-chevron-down"
          aria-hidden="true"
          @mousedown=${(event: Event) => this.#toggle(event)}
        ></span>
      </div>
      <ul id=${`${id}-list`} class="choices" role="listbox" popover="manual" aria-label=${this.label}>
        ${shown.slice(0, maxShown).map((choice, index) => this.#option(choice, index))}
        ${
          shown.length > maxShown
            ? html`<li class="more" role="presentation">
                ${t('{0} more; type to narrow them down', shown.length - maxShown)}
              </li>`
            : nothing
        }
        ${this.open && shown.length === 0 ? html`<li class="more" role="presentation">${t('Nothing matches')}</li>` : nothing}
      </ul>
      ${this.problem ? html`<p class="field-problem" id=${`${id}-problem`}>${this.problem}</p>` : nothing}
    `;
  }

  #option({ value, shown = value, detail, doubt }: Choice, index: number): TemplateResult {
    return html`<li
      id=${`${this.#id}-${index}`}
      role="option"
      class=${doubt === undefined ? '' : 'doubtful'}
      aria-selected=${index === this.active ? 'true' : 'false'}
      @mousedown=${(event: Event) => {
        event.preventDefault();
        this.#choose(value);
      }}
    >
      <span class="clip">${shown}</span><span class="muted">${[detail, doubt].filter(Boolean).join(' · ')}</span>
    </li>`;
  }

  #type(text: string): void {
    this.typed = text;
    this.open = true;
    this.active = text === '' ? -1 : 0;
  }

  #press(event: KeyboardEvent): void {
    const shown = this.#shown.slice(0, maxShown);
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (this.open)
        this.active =
          (this.active + step + shown.length + (this.active < 0 && step < 0 ? 1 : 0)) % Math.max(1, shown.length);
      this.open = true;
    } else if (event.key === 'Enter') {
      const choice = this.open ? shown[this.active] : undefined;
      if (choice || this.typed !== undefined) {
        // Enter selects an item and must not confirm the dialog.
        event.preventDefault();
        event.stopPropagation();
        this.#choose(choice?.value ?? this.typed ?? this.value);
      }
    } else if (event.key === 'Escape' && (this.open || this.typed !== undefined)) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    }
  }

  #toggle(event: Event): void {
    event.preventDefault();
    this.#input?.focus();
    this.open = !this.open;
  }

  /** The typed text counts; a name in another case is replaced by the existing name. */
  #leave(): void {
    const text = this.typed;
    if (text === undefined) return this.#close();
    const same = this.choices.find(({ value }) => value.toLowerCase() === text.trim().toLowerCase());
    this.#choose(this.choices.some(({ value }) => value === text) ? text : (same?.value ?? text.trim()));
  }

  #choose(value: string): void {
    this.#close();
    if (value === this.value) return;
    this.value = value;
    this.dispatchEvent(new CustomEvent('change', { detail: value, bubbles: true }));
  }

  #close(): void {
    this.open = false;
    this.typed = undefined;
    this.active = -1;
  }
}

export interface ComboboxOptions {
  readonly required?: boolean;
  readonly placeholder?: string | undefined;
  readonly problem?: string | undefined;
  readonly unseenLabel?: boolean;
  /** When true, only suggestions are valid, and their details are searched too. */
  readonly searchDetails?: boolean;
  readonly complete?: Combobox['complete'] | undefined;
  readonly id?: string;
}

/** Template function for a combobox. */
export function combobox(
  label: string,
  value: string,
  choices: readonly Choice[],
  onChange: (value: string) => void,
  {
    required = false,
    placeholder = '',
    problem,
    unseenLabel = false,
    searchDetails = false,
    complete,
    id,
  }: ComboboxOptions = {},
): TemplateResult {
  if (!customElements.get('eg-combobox')) customElements.define('eg-combobox', Combobox);
  return html`<eg-combobox
    id=${id ?? nothing}
    .label=${label}
    .value=${live(value)}
    .choices=${choices}
    .required=${required}
    .placeholder=${placeholder}
    .problem=${problem ?? ''}
    .unseenLabel=${unseenLabel}
    .searchDetails=${searchDetails}
    .complete=${complete}
    @change=${(event: CustomEvent<string>) => {
      if (typeof event.detail === 'string') onChange(event.detail);
    }}
  ></eg-combobox>`;
}
