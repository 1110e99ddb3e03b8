import { type TemplateResult, html } from 'lit';
import { t } from '../ui/translate.ts';

/** Widths of the side panel in pixels. */
const narrowest = 260;
const step = 40;

/** The edge of the side panel, which is dragged, or moved by arrow keys. @param set the width in pixels; 0: that of the page */
export function drawSplitter(width: number | undefined, set: (width: number) => void): TemplateResult {
  const side = (event: Event): number =>
    (event.currentTarget as HTMLElement).nextElementSibling?.getBoundingClientRect().width ?? narrowest;
  return html`<div
    class="splitter"
    id="side-splitter"
    role="separator"
    tabindex="0"
    aria-orientation="vertical"
    aria-label=${t('Width of the side panel')}
    aria-valuemin=${narrowest}
    aria-valuenow=${width ?? narrowest}
    title=${t('Drag to widen the panel. A double click sets it back.')}
    @dblclick=${() => set(0)}
    @keydown=${(event: KeyboardEvent) => {
      const change = { ArrowLeft: step, ArrowRight: -step }[event.key];
      if (change === undefined) return;
      event.preventDefault();
      set(Math.max(narrowest, Math.round(side(event)) + change));
    }}
    @pointerdown=${(event: PointerEvent) => drag(event, side(event), set)}
  ></div>`;
}

function drag(event: PointerEvent, before: number, set: (width: number) => void): void {
  if (event.button !== 0) return;
  const splitter = event.currentTarget as HTMLElement;
  event.preventDefault();
  splitter.setPointerCapture(event.pointerId);
  const ending = new AbortController();
  const { signal } = ending;
  splitter.addEventListener(
    'pointermove',
    (move) => set(Math.max(narrowest, Math.round(before + event.clientX - move.clientX))),
    { signal },
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    splitter.addEventListener(end, () => ending.abort(), { signal });
  }
}
