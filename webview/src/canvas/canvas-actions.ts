import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import { isGoneId } from '../../../protocol/compared-canvas.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import type { FromWebview } from '../../../protocol/webview-messages.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import { t } from '../ui/translate.ts';
import { type CanvasState, type FoundFixes, type Step, selectedKeys } from './canvas-state.ts';
import { shownTypeOf } from './correlation-links.ts';
import { shownMatches } from './find-matches.ts';
import { type Box, type Point, type Size, centreOf } from './geometry.ts';
import { type Picture, boxOf } from './picture.ts';
import { rangeOf } from './text-ranges.ts';
import { showSources, shownSources } from './source-filter.ts';
import { idIn, keyOf } from './view-key.ts';
import { fit, pan, reveal, zoomAt } from './viewport.ts';

/** View actions of the canvas, which do not change the file. */
export interface CanvasActions {
  /** @param add toggles the key in the selection instead of replacing the selection. */
  select(key: string | undefined, options?: { readonly add?: boolean; readonly quiet?: boolean }): void;
  selectAll(): void;
  /** Selects the cards of an entity type. */
  selectType(type: string): void;
  selectWithin(area: Box | undefined, done: boolean): void;
  goToText(range: TextRange): void;
  /** Opens a place in another file. */
  goToFile(file: string, range: TextRange): void;
  /** `at` is a point in screen coordinates of the canvas; default: its centre. */
  zoomBy(factor: number, at?: Point): void;
  resetZoom(): void;
  fit(): void;
  pan(by: Point): void;
  reveal(key: string): void;
  /** Centres a point of the canvas. */
  centreOn(point: Point): void;
  toggleGrid(): void;
  toggleMinimap(): void;
  togglePalette(): void;
  toggleCollapsed(ids: readonly string[]): void;
  goToStep(step: Step): void;
  filter(list: string, text: string): void;
  /** Opens or closes a data source in a list of the first step. */
  expandSource(list: 'available' | 'selected', source: string, expanded: boolean): void;
  /** Shows the cards of these data sources only. */
  hideSources(hidden: readonly string[]): void;
  openSourceFilter(at: Point): void;
  startDrawing(): void;
  drawFrom(source: string | undefined, to?: Point): void;
  stopDrawing(): void;
  openMenu(at: Point, key?: string, fixes?: readonly FoundFixes[]): void;
  /** The menu of a data object of the palette. */
  openObjectMenu(at: Point, dataObject: DataObjectName): void;
  closeMenu(): void;
  find(text: string | undefined, step?: 1 | -1): void;
  showMetadata(object: DataObjectName | undefined): void;
  announce(words: string): void;
  dismissFailure(): void;
  retryLayout(): void;
}

/** Dependencies of the actions. */
interface CanvasModel {
  state(): CanvasState;
  update(next: CanvasState): void;
  screen(): Size;
  post(message: FromWebview): void;
  /** Applies the current positions, including cards of changed size. */
  layOut(options: { readonly again: boolean }): void;
  /** Stores positions and the grid with the graph. */
  keepLayout(): void;
}

// eslint-disable-next-line max-lines-per-function -- Twenty-five actions of a few lines, each a change of the same state.
export function createActions({ state, update, screen, post, layOut, keepLayout }: CanvasModel): CanvasActions {
  const middle = () => ({ x: screen().width / 2, y: screen().height / 2 });
  const change = (part: Partial<CanvasState>): void => update({ ...state(), ...part });

  function revealKey(key: string): void {
    const box = boxOf(state().picture, key);
    if (box) change({ viewport: reveal(state().viewport, box, screen()) });
  }

  const actions: CanvasActions = {
    select(key, { add = false, quiet = false } = {}) {
      const now = state();
      if (add && key !== undefined) {
        const keys = selectedKeys(now);
        const next = keys.includes(key) ? keys.filter((each) => each !== key) : [...keys, key];
        const last = next.at(-1);
        return change({ selected: last, also: next.slice(0, -1) });
      }
      if (key === now.selected && now.also.length === 0) return;
      change({ selected: key, also: [] });
      const range = rangeOf(now.view, key);
      // The text selection follows if the text is visible.
      if (range && !quiet) post({ type: 'revealRange', range, quiet: true });
    },
    selectAll() {
      const keys = cardsOfFile(state()).map(({ element }) => keyOf.element(element.id));
      const last = keys.at(-1);
      if (last !== undefined) change({ also: keys.slice(0, -1), selected: last });
    },
    selectType(type) {
      const cards = cardsOfFile(state());
      const keys = cards.flatMap(({ element }) => (shownTypeOf(element) === type ? [keyOf.element(element.id)] : []));
      change({ selected: keys.at(-1), also: keys.slice(0, -1) });
    },
    selectWithin(area, done) {
      const now = state();
      if (!area) return change({ marquee: undefined });
      const keys = cardsOfFile(now)
        .filter(({ box }) => isWithin(centreOf(box), area))
        .map(({ element }) => keyOf.element(element.id));
      change({ selected: keys.at(-1), also: keys.slice(0, -1), marquee: done ? undefined : area });
    },
    goToText: (range) => post({ type: 'revealRange', range }),
    goToFile: (file, range) => post({ type: 'revealRange', file, range }),
    zoomBy: (factor, at = middle()) => change({ viewport: zoomAt(state().viewport, factor, at) }),
    resetZoom: () => change({ viewport: zoomAt(state().viewport, 1 / state().viewport.zoom, middle()) }),
    fit() {
      const { picture } = state();
      if (picture) change({ viewport: fit(picture.bounds, screen()) });
    },
    pan: (by) => change({ viewport: pan(state().viewport, by) }),
    reveal: revealKey,
    centreOn({ x, y }) {
      const { zoom } = state().viewport;
      change({ viewport: { zoom, x: middle().x - x * zoom, y: middle().y - y * zoom } });
    },
    toggleGrid() {
      change({ grid: !state().grid });
      keepLayout();
    },
    toggleMinimap: () => change({ minimap: !state().minimap }),
    togglePalette: () => change({ paletteOpen: !state().paletteOpen }),
    toggleCollapsed(ids) {
      const before = new Set(state().collapsed);
      const all = ids.every((id) => before.has(id));
      for (const id of ids)
        if (all) before.delete(id);
        else before.add(id);
      change({ collapsed: [...before] });
      layOut({ again: false });
    },
    goToStep: (step) => change({ metadataOf: undefined, step }),
    filter: (list, text) => change({ filters: { ...state().filters, [list]: text } }),
    expandSource(list, source, expanded) {
      const before = state().expanded;
      change({ expanded: { ...before, [list]: { ...before[list], [source]: expanded } } });
    },
    hideSources(hidden) {
      update(showSources(state(), hidden));
      const { view, picture } = state();
      const shown = shownSources(view, hidden);
      change({ announcement: t('Shown: {0}; {1} elements', shown.join(', '), picture?.cards.length ?? 0) });
    },
    openSourceFilter: (at) => change({ menu: { at, isSourceFilter: true } }),
    startDrawing() {
      change({
        drawing: {},
        announcement: t('Choose the source element with Enter, then the target. Escape ends it.'),
      });
    },
    drawFrom: (source, to) => change({ drawing: { source, to } }),
    stopDrawing: () => change({ drawing: undefined }),
    openMenu: (at, key, fixes) => change({ menu: { at, key, fixes } }),
    openObjectMenu: (at, dataObject) => change({ menu: { at, dataObject } }),
    closeMenu() {
      const { menu } = state();
      if (!menu) return;
      change({ menu: undefined });
      if (menu.isSourceFilter) document.querySelector<HTMLElement>('#source-filter')?.focus();
      else if (menu.dataObject === undefined) focusKey(menu.key);
      else {
        const object = CSS.escape(keyOfObject(menu.dataObject));
        document.querySelector<HTMLElement>(`#palette [data-object="${object}"] button`)?.focus();
      }
    },
    find(text, step) {
      const now = state();
      if (text === undefined) return change({ find: undefined });
      const matches = shownMatches(now, text);
      const from = now.find?.text === text ? now.find.index + (step ?? 0) : 0;
      const index = matches.length === 0 ? 0 : (from + matches.length) % matches.length;
      change({ find: { text, index }, announcement: t('{0} found', matches.length) });
      const key = matches[index];
      if (key === undefined) return;
      actions.select(key);
      revealKey(key);
    },
    showMetadata: (object) => change({ metadataOf: object }),
    announce: (announcement) => change({ announcement }),
    dismissFailure: () => change({ failure: undefined }),
    retryLayout: () => layOut({ again: true }),
  };
  return actions;
}

/** The cards that can be edited: those of the file. */
function cardsOfFile({ picture }: CanvasState): Picture['cards'] {
  return (picture?.cards ?? []).filter(({ element }) => !isGoneId(element.id));
}

/** Focuses a card or label, else the canvas. */
export function focusKey(key: string | undefined): void {
  const stop = key === undefined ? null : document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  (stop ?? document.querySelector<HTMLElement>('#viewport'))?.focus({ preventScroll: true });
}

function isWithin({ x, y }: Point, area: Box): boolean {
  return x >= area.x && x <= area.x + area.width && y >= area.y && y <= area.y + area.height;
}

/** Element ids among keys. */
export function elementIds(keys: readonly string[]): readonly string[] {
  return keys.flatMap((key) => idIn('element', key) ?? []);
}
