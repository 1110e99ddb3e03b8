import { type TemplateResult, html, nothing } from 'lit';
import { type Brush, rangeOf } from './brush.ts';
import type { MenuPlace } from './event-graph-state.ts';

interface Bins {
  readonly id: string;
  /** Says what the columns are, and which keys choose them. */
  readonly label: string;
  readonly bins: readonly { readonly text: string; readonly count: number }[];
  readonly brushed: Brush | undefined;
  readonly marks?: readonly (TemplateResult | typeof nothing)[];
  /** What choosing columns does; absent if they cannot be chosen. */
  readonly brushing?: Brushing | undefined;
}

interface Brushing {
  onBrush(brushed: Brush | undefined): void;
  /** The columns are chosen: by Enter, or at the end of dragging. @param at below the last one */
  onChoose(at: MenuPlace, by: 'key' | 'pointer'): void;
}

/** Columns of which a part can be chosen by dragging, or by arrow keys with Shift. */
export function drawBins({ id, label, bins, brushed, marks = [], brushing }: Bins): TemplateResult {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const [from, to] = brushed ? rangeOf(brushed) : [-1, -1];
  return html`<div
    class="columns bins"
    id=${id}
    tabindex=${brushing ? 0 : nothing}
    role=${brushing ? 'group' : 'img'}
    aria-label=${label}
    @keydown=${brushing ? (event: KeyboardEvent) => brushByKey(event, bins.length, brushed, brushing) : nothing}
    @pointerdown=${brushing ? (event: PointerEvent) => brushByPointer(event, brushing) : nothing}
  >
    ${bins.map(
      ({ text, count }, index) =>
        html`<span class=${index >= from && index <= to ? 'column brushed' : 'column'} data-bin=${index} title=${text}
          ><i .style=${`height: ${count === 0 ? 0 : Math.max(1, (count / most) * 100)}%`}></i
        ></span>`,
    )}
    ${marks}
  </div>`;
}

function brushByKey(
  event: KeyboardEvent,
  all: number,
  brushed: Brush | undefined,
  { onBrush, onChoose }: Brushing,
): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step !== undefined) {
    const at = brushed ? Math.min(all - 1, Math.max(0, brushed.to + step)) : 0;
    onBrush({ from: event.shiftKey && brushed ? brushed.from : at, to: at });
  } else if (event.key === 'Enter') {
    if (!brushed) return;
    onChoose(placeOf(event.currentTarget as HTMLElement, brushed.to), 'key');
  } else if (event.key === 'Escape' && brushed) onBrush(undefined);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Chooses the columns between press and release. */
function brushByPointer(event: PointerEvent, { onBrush, onChoose }: Brushing): void {
  const columns = event.currentTarget as HTMLElement;
  if (event.button !== 0) return;
  const binAt = ({ clientX }: PointerEvent): number => {
    const { left, width } = columns.getBoundingClientRect();
    const all = columns.querySelectorAll('[data-bin]').length;
    return Math.min(all - 1, Math.max(0, Math.floor(((clientX - left) / width) * all)));
  };
  event.preventDefault();
  columns.focus();
  columns.setPointerCapture(event.pointerId);
  const from = binAt(event);
  onBrush({ from, to: from });
  const ending = new AbortController();
  const { signal } = ending;
  columns.addEventListener('pointermove', (move) => onBrush({ from, to: binAt(move) }), { signal });
  columns.addEventListener(
    'pointerup',
    (up) => {
      ending.abort();
      onChoose(placeOf(columns, binAt(up)), 'pointer');
    },
    { signal },
  );
  columns.addEventListener(
    'pointercancel',
    () => {
      ending.abort();
      onBrush(undefined);
    },
    { signal },
  );
}

function placeOf(columns: HTMLElement, bin: number): MenuPlace {
  const { left, bottom } = (columns.querySelector(`[data-bin="${bin}"]`) ?? columns).getBoundingClientRect();
  return { x: left, y: bottom + 2 };
}
