/** The texts that are legible: everything, all names and states, names of cards and states, or states only. */
export type Detail = 'full' | 'names' | 'card-names' | 'states';

/** Below this zoom, the small print of cards would be unreadable. */
const minZoomOfDetails = 0.7;

/** Below this zoom, names of relationships do not fit onto their labels. */
const minZoomOfLabels = 0.5;

/** Below this zoom, not even a word of a name fits onto a card. */
const minZoomOfNames = 0.25;

export function detailAt(zoom: number): Detail {
  if (zoom >= minZoomOfDetails) return 'full';
  if (zoom >= minZoomOfLabels) return 'names';
  return zoom >= minZoomOfNames ? 'card-names' : 'states';
}

/** Size of names on the screen in pixels, when they are all that is shown. */
const shownNameSize = 11;

/** Font size of names on the canvas. It changes in steps, so that zooming does not draw all cards in each frame. */
export function nameSizeAt(zoom: number): number {
  const step = Math.max(minZoomOfNames, Math.floor(zoom * 20) / 20);
  return Math.round(shownNameSize / step);
}

/** Distances of the lines of the grid in screen pixels; the small squares vanish before they become a pattern. */
export function gridLines(zoom: number): { readonly small: number; readonly large: number } {
  const small = 20 * zoom;
  return small < 12 ? { small: 100 * zoom, large: 500 * zoom } : { small, large: 100 * zoom };
}
