import { type TemplateResult, html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { button } from './button.ts';
import { icon } from './icons.ts';
import { t } from './translate.ts';

export interface MenuItem {
  readonly label: string;
  readonly icon: string;
  readonly shortcut?: string | undefined;
  readonly disabled?: boolean;
  /** Set for checkbox items only. */
  readonly checked?: boolean;
  /** Tooltip, such as why it is disabled. */
  readonly hint?: string;
  /** Separator above it. */
  readonly separated?: boolean;
  run(): void;
}

/** Position on the page in pixels. */
interface MenuPlace {
  readonly x: number;
  readonly y: number;
}

/** A context menu, which has the focus until it closes. */
export function drawMenu(items: readonly MenuItem[], at: MenuPlace, close: () => void): TemplateResult {
  return html`<div
      class="menu-backdrop"
      @pointerdown=${close}
      @contextmenu=${(event: Event) => event.preventDefault()}
    ></div>
    <div
      id="menu"
      class="menu"
      role="menu"
      aria-label=${t('Actions')}
      @keydown=${(event: KeyboardEvent) => press(event, close)}
      ${ref((element) => place(element, at))}
    >
      ${items.map(
        (item) => html`
          ${item.separated ? html`<hr role="separator" />` : nothing}
          ${button(
            html`${icon(item.icon)}<span>${item.label}</span>${item.shortcut === undefined ? nothing : html`<kbd aria-hidden="true">${item.shortcut}</kbd>`}`,
            () => {
              if (item.disabled) return;
              close();
              item.run();
            },
            {
              appearance: 'bare',
              tabindex: -1,
              unavailable: item.disabled,
              title: item.hint,
              role: item.checked === undefined ? 'menuitem' : 'menuitemcheckbox',
              checked: item.checked,
            },
          )}
        `,
      )}
    </div>`;
}

const placed = new WeakSet<Element>();

/** Keeps the menu within the page, and focuses its first item. */
function place(element: Element | undefined, { x, y }: MenuPlace): void {
  if (!(element instanceof HTMLElement) || placed.has(element)) return;
  placed.add(element);
  // Its items are rendered later.
  queueMicrotask(() => {
    const { offsetWidth, offsetHeight } = element;
    element.style.left = `${Math.max(4, Math.min(x, window.innerWidth - offsetWidth - 4))}px`;
    element.style.top = `${Math.max(4, Math.min(y, window.innerHeight - offsetHeight - 4))}px`;
    itemsIn(element)[0]?.focus();
  });
}

function itemsIn(menu: Element): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
}

function press(event: KeyboardEvent, close: () => void): void {
  const items = itemsIn(event.currentTarget as Element);
  const now = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 }[event.key];
  event.stopPropagation();
  if (to !== undefined) items[(to + items.length) % items.length]?.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') close();
  else if (event.key.length === 1) {
    const letter = event.key.toLowerCase();
    const order = [...items.slice(now + 1), ...items.slice(0, now + 1)];
    order.find((item) => item.innerText.trim().toLowerCase().startsWith(letter))?.focus();
    return;
  } else return;
  event.preventDefault();
}
