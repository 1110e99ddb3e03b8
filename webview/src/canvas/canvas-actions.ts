import type { FromWebview } from '../../../protocol/webview-messages.ts';
import { type CanvasActions, type CanvasState, keyOf } from './canvas-state.ts';
import type { Box, Size } from './geometry.ts';
import { fit, pan, reveal, zoomAt } from './viewport.ts';

/** What the actions work on. */
export interface CanvasModel {
  state(): CanvasState;
  update(next: CanvasState): void;
  screen(): Size;
  post(message: FromWebview): void;
  retryLayout(): void;
}

/** What every control, key and gesture of the canvas does. */
export function createActions({ state, update, screen, post, retryLayout }: CanvasModel): CanvasActions {
  const middle = () => ({ x: screen().width / 2, y: screen().height / 2 });
  return {
    select(key) {
      const { selected, ...rest } = state();
      if (key !== selected) update(key === undefined ? rest : { ...rest, selected: key });
    },
    goToText: (range) => post({ type: 'revealRange', range }),
    zoomBy: (factor, at = middle()) => update({ ...state(), viewport: zoomAt(state().viewport, factor, at) }),
    resetZoom: () => update({ ...state(), viewport: zoomAt(state().viewport, 1 / state().viewport.zoom, middle()) }),
    fit() {
      const { picture } = state();
      if (picture) update({ ...state(), viewport: fit(picture.bounds, screen()) });
    },
    pan: (by) => update({ ...state(), viewport: pan(state().viewport, by) }),
    reveal(key) {
      const box = boxOf(state(), key);
      if (box) update({ ...state(), viewport: reveal(state().viewport, box, screen()) });
    },
    toggleGrid: () => update({ ...state(), grid: !state().grid }),
    retryLayout,
  };
}

function boxOf({ picture }: CanvasState, key: string): Box | undefined {
  return (
    picture?.cards.find(({ element }) => keyOf.element(element.id) === key)?.box ??
    picture?.relationships.find(({ relationship }) => keyOf.relationship(relationship.id) === key)?.labelBox
  );
}
