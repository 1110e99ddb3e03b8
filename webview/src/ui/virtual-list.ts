import { LitElement, type TemplateResult, html } from 'lit';

/** Overscan rows, so that scrolling shows no gap. */
const spare = 8;

/** A list that renders visible rows only; all rows have the same height. */
export class VirtualList extends LitElement {
  static override readonly properties = {
    items: { attribute: false },
    rowHeight: { type: Number },
    drawRow: { attribute: false },
    label: {},
    topOf: {},
    first: { state: true },
    visible: { state: true },
  };

  declare items: readonly unknown[];
  declare rowHeight: number;
  declare drawRow: (item: never, index: number) => TemplateResult;
  declare label: string;
  /** The list starts at its top again when this changes, such as the text of a filter. */
  declare topOf: string;
  declare private first: number;
  declare private visible: number;
  #observer: ResizeObserver | undefined;

  constructor() {
    super();
    Object.assign(this, {
      items: [],
      rowHeight: 24,
      drawRow: () => html``,
      label: '',
      topOf: '',
      first: 0,
      visible: 20,
    });
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('scroll', this.measure, { passive: true });
    this.#observer = new ResizeObserver(this.measure);
    this.#observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.removeEventListener('scroll', this.measure);
    this.#observer?.disconnect();
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('topOf')) this.scrollTop = 0;
  }

  protected readonly measure = (): void => {
    this.first = Math.max(0, Math.floor(this.scrollTop / this.rowHeight) - spare);
    this.visible = Math.ceil(this.clientHeight / this.rowHeight) + 2 * spare;
  };

  protected override render(): TemplateResult {
    const { items, rowHeight } = this;
    const first = Math.min(this.first, Math.max(0, items.length - this.visible));
    const shown = items.slice(first, first + this.visible);
    return html`<div class="virtual-space" .style=${`height: ${items.length * rowHeight}px`}>
      ${this.drawItems(first, shown)}
    </div>`;
  }

  protected drawItems(first: number, shown: readonly unknown[]): TemplateResult {
    const { items, rowHeight } = this;
    return html`<ul
      class="virtual-rows"
      aria-label=${this.label}
      .style=${`transform: translateY(${first * rowHeight}px)`}
    >
      ${shown.map(
        (item, index) =>
          html`<li .style=${`height: ${rowHeight}px`} aria-setsize=${items.length} aria-posinset=${first + index + 1}>
            ${this.drawRow(item as never, first + index)}
          </li>`,
      )}
    </ul>`;
  }
}

/** Template function for a virtual list. */
export function virtualList<T>(
  label: string,
  items: readonly T[],
  drawRow: (item: T, index: number) => TemplateResult,
  { rowHeight = 24, topOf = '' }: { readonly rowHeight?: number; readonly topOf?: string } = {},
): TemplateResult {
  if (!customElements.get('eg-virtual-list')) customElements.define('eg-virtual-list', VirtualList);
  return html`<eg-virtual-list
    .label=${label}
    .items=${items}
    .drawRow=${drawRow}
    .rowHeight=${rowHeight}
    .topOf=${topOf}
  ></eg-virtual-list>`;
}
