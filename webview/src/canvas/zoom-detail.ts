import { minZoom } from './viewport.ts';

/** The texts that are legible: everything, all names and states, names of cards and states, or states only. */
export type Detail = 'full' | 'names' | 'card-names' | 'states';

/** Below this zoom, the small print of cards would be unreadable. */
const minZoomOfDetails = 0.7;

/** Below this zoom, names of relationships do not fit onto their labels. */
const minZoomOfLabels = 0.5;

/** Below this zoom, not even a word of a name fits onto a card. */
const minZoomOfNames = 0.25;

/** @param growing whether boxes grow with their names (`name-boxes.ts`), so that names are legible at any zoom. */
export function detailAt(zoom: number, growing = false): Detail {
  if (zoom >= minZoomOfDetails) return 'full';
  if (zoom >= minZoomOfLabels) return 'names';
  return growing || zoom >= minZoomOfNames ? 'card-names' : 'states';
}

/** Size of names on the screen in pixels, when they are all that is shown. */
const shownNameSize = 11;

/** By how much the zoom grows from one size of names to the next. */
const nameSizeStep = 1.15;
/** Where boxes grow with their names, each pixel counts, and there are few boxes. */
const growingSizeStep = 1.02;

/**
 * Font size of names on the canvas. It changes in steps, and not at all where everything is legible: each change has the
 * browser compute the styles of all cards, which takes several frames in a large graph.
 */
export function nameSizeAt(zoom: number, growing = false): number {
  const least = growing ? minZoom : minZoomOfNames;
  const used = Math.min(Math.max(zoom, least), minZoomOfDetails);
  const step = growing ? growingSizeStep : nameSizeStep;
  const steps = Math.floor(Math.log(used / least) / Math.log(step));
  const size = shownNameSize / (least * step ** steps);
  return growing ? Math.ceil(size * 10) / 10 : Math.ceil(size);
}

/** Distances of the lines of the grid in screen pixels; the small squares vanish before they become a pattern. */
export function gridLines(zoom: number): { readonly small: number; readonly large: number } {
  const small = 20 * zoom;
  return small < 12 ? { small: 100 * zoom, large: 500 * zoom } : { small, large: 100 * zoom };
}
