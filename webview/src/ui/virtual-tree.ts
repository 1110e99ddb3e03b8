import { type TemplateResult, html, nothing } from 'lit';
import { VirtualList } from './virtual-list.ts';

/** A row of a tree, in the order in which they are shown. */
export interface TreeRow {
  readonly level: number;
  /** Absent for rows without children. */
  readonly expanded?: boolean;
  /** Number of rows of its parent, and its place among them from 1. */
  readonly setSize: number;
  readonly place: number;
}

/** Actions of keys in a row of a tree. */
interface TreeKeys<T extends TreeRow> {
  /** Enter and the space bar. */
  act(row: T): void;
  expand(row: T, expanded: boolean): void;
}

/** A tree that renders visible rows only, as a tab stop: arrow keys move between rows, and open and close them. */
class VirtualTree extends VirtualList {
  static override readonly properties = { ...VirtualList.properties, keys: { attribute: false }, at: { state: true } };

  declare keys: TreeKeys<TreeRow>;
  declare private at: number;
  #hadFocus = false;

  constructor() {
    super();
    this.at = 0;
  }

  protected override willUpdate(): void {
    this.at = Math.max(0, Math.min(this.at, this.items.length - 1));
    this.#hadFocus = this.contains(document.activeElement);
  }

  protected override updated(changed: Map<string, unknown>): void {
    super.updated(changed);
    // The row that had the focus is gone: its successor gets it.
    if (this.#hadFocus && !this.contains(document.activeElement)) this.#focus(this.at);
  }

  protected override drawItems(first: number, shown: readonly unknown[]): TemplateResult {
    const rows = shown as readonly TreeRow[];
    return html`<ul
      class="virtual-rows"
      role="tree"
      aria-label=${this.label}
      .style=${`transform: translateY(${first * this.rowHeight}px)`}
      @keydown=${this.#press}
      @focusin=${this.#follow}
    >
      ${rows.map((row, offset) => {
        const index = first + offset;
        return html`<li
          role="treeitem"
          class="tree-row"
          data-index=${index}
          tabindex=${index === this.at ? 0 : -1}
          aria-level=${row.level}
          aria-expanded=${row.expanded === undefined ? nothing : String(row.expanded)}
          aria-setsize=${row.setSize}
          aria-posinset=${row.place}
          .style=${`height: ${this.rowHeight}px`}
        >
          ${this.drawRow(row as never, index)}
        </li>`;
      })}
    </ul>`;
  }

  /** A click, or a button of a row, makes the row the tab stop. */
  readonly #follow = (event: Event): void => {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('.tree-row') : null;
    if (row) this.at = Number(row.dataset['index']);
  };

  readonly #press = (event: KeyboardEvent): void => {
    const rows = this.items as readonly TreeRow[];
    const row = rows[this.at];
    const isRow = event.target instanceof Element && event.target.matches('.tree-row');
    if (!row || !isRow || event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case 'ArrowDown':
        this.#focus(this.at + 1);
        break;
      case 'ArrowUp':
        this.#focus(this.at - 1);
        break;
      case 'Home':
        this.#focus(0);
        break;
      case 'End':
        this.#focus(rows.length - 1);
        break;
      case 'ArrowRight':
        if (row.expanded === false) this.keys.expand(row, true);
        else if (row.expanded) this.#focus(this.at + 1);
        break;
      case 'ArrowLeft':
        if (row.expanded) this.keys.expand(row, false);
        else this.#focus(rows.slice(0, this.at).findLastIndex(({ level }) => level < row.level));
        break;
      case 'Enter':
      case ' ':
        this.keys.act(row);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  #focus(index: number): void {
    if (index < 0 || index >= this.items.length) return;
    this.at = index;
    const top = index * this.rowHeight;
    if (top < this.scrollTop) this.scrollTop = top;
    const bottom = top + this.rowHeight;
    if (bottom > this.scrollTop + this.clientHeight) this.scrollTop = bottom - this.clientHeight;
    this.measure();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  }
}

/** Template function for a virtual tree. */
export function virtualTree<T extends TreeRow>(
  label: string,
  rows: readonly T[],
  drawRow: (row: T) => TemplateResult,
  options: { readonly rowHeight: number; readonly topOf: string; readonly keys: TreeKeys<T> },
): TemplateResult {
  if (!customElements.get('eg-virtual-tree')) customElements.define('eg-virtual-tree', VirtualTree);
  return html`<eg-virtual-tree
    .label=${label}
    .items=${rows}
    .drawRow=${drawRow}
    .rowHeight=${options.rowHeight}
    .topOf=${options.topOf}
    .keys=${options.keys}
  ></eg-virtual-tree>`;
}
