import { type TemplateResult, html, nothing } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { type CanvasActions, focusKey } from './canvas-actions.ts';
import type { CanvasState } from './canvas-state.ts';
import { shownMatches } from './find-matches.ts';

const focused = new WeakSet<Element>();

/** Find widget for elements and relationships. */
export function drawFind(
  { find, view, picture, selected }: CanvasState,
  actions: CanvasActions,
): TemplateResult | typeof nothing {
  if (!find) return nothing;
  const matches = shownMatches({ view, picture }, find.text);
  const close = (): void => {
    actions.find(undefined);
    focusKey(selected);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Enter') actions.find(find.text, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  return html`<div id="find" role="search">
    <input
      class="input"
      type="text"
      placeholder=${t('Find')}
      aria-label=${t('Find on the canvas')}
      .value=${find.text}
      @input=${(event: Event) => actions.find((event.target as HTMLInputElement).value)}
      @keydown=${press}
      ${ref((element) => focusOnce(element))}
    />
    <span class="muted" role="status"
      >${find.text === '' ? '' : matches.length === 0 ? t('No results') : t('{0} of {1}', find.index + 1, matches.length)}</span
    >
    ${button(icon('arrow-up'), () => actions.find(find.text, -1), { appearance: 'icon', title: t('Previous (Shift+Enter)'), label: t('Previous match') })}
    ${button(icon('arrow-down'), () => actions.find(find.text, 1), { appearance: 'icon', title: t('Next (Enter)'), label: t('Next match') })}
    ${button(icon('close'), close, { appearance: 'icon', title: t('Close (Escape)'), label: t('Close find') })}
  </div>`;
}

function focusOnce(element: Element | undefined): void {
  if (!(element instanceof HTMLElement) || focused.has(element)) return;
  focused.add(element);
  queueMicrotask(() => element.focus());
}
