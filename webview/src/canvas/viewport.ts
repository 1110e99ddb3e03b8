import type { Box, Point, Size } from './geometry.ts';

/** The visible section: screen position of the canvas origin, and the zoom. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const minZoom = 0.1;
const maxZoom = 2;

/** Zoom factor of buttons and keys. */
export const zoomStep = 1.25;

/** Zooms by a factor around a fixed screen point. */
export function zoomAt(viewport: Viewport, factor: number, at: Point): Viewport {
  const zoom = Math.min(maxZoom, Math.max(minZoom, viewport.zoom * factor));
  const change = zoom / viewport.zoom;
  return { zoom, x: at.x - (at.x - viewport.x) * change, y: at.y - (at.y - viewport.y) * change };
}

export function pan(viewport: Viewport, by: Point): Viewport {
  return { ...viewport, x: viewport.x + by.x, y: viewport.y + by.y };
}

/** Largest zoom at which a graph opens that does not fit: everything on a card is easily read. */
const readableZoom = 0.9;

/** Smallest zoom at which a graph opens as a whole, in a panel of at least this width; beside the text it opens larger. */
const minWholeZoom = 0.75;
const widePanel = 560;

/**
 * Shows a graph for the first time: the whole of it if it remains readable, else its roots, all of them and as much of
 * the rest as there is room for. A little larger than the whole is not worth scrolling.
 * @param roots around the elements that no line leads to; absent where there are none.
 */
export function openingView({ bounds, roots }: OpeningArea, screen: Size): Viewport {
  const whole = fit(bounds, screen);
  const least = screen.width >= widePanel ? minWholeZoom : readableZoom;
  if (whole.zoom >= least || screen.width === 0) return whole;
  const start = roots ?? { x: bounds.x, y: bounds.y, width: 0, height: 0 };
  const zoom = Math.min(readableZoom, fit(start, screen).zoom);
  if (zoom < whole.zoom * worthScrolling) return whole;
  const place = (from: number, length: number, first: number, needed: number, screenLength: number): number => {
    const room = (screenLength - 2 * openingMargin) / zoom;
    if (length <= room) return Math.round((screenLength - length * zoom) / 2 - from * zoom);
    return Math.round(openingMargin - Math.max(from, first + needed - room) * zoom);
  };
  return {
    zoom,
    x: place(bounds.x, bounds.width, start.x, start.width, screen.width),
    y: place(bounds.y, bounds.height, start.y, start.height, screen.height),
  };
}

/** What the opening view depends on. */
export interface OpeningArea {
  readonly bounds: Box;
  readonly roots?: Box | undefined;
}

const worthScrolling = 1.25;
const openingMargin = 24;

/** Centres `bounds` at no more than 100 %; of what does not fit at the smallest zoom, the start is shown. */
export function fit(bounds: Box, screen: Size): Viewport {
  const margin = openingMargin;
  const room = { width: Math.max(1, screen.width - 2 * margin), height: Math.max(1, screen.height - 2 * margin) };
  const needed = Math.min(room.width / Math.max(1, bounds.width), room.height / Math.max(1, bounds.height));
  const zoom = Math.min(1, Math.max(minZoom, needed));
  const place = (start: number, length: number, screenLength: number): number =>
    Math.round(Math.max(margin, (screenLength - length * zoom) / 2) - start * zoom);
  return {
    zoom,
    x: place(bounds.x, bounds.width, screen.width),
    y: place(bounds.y, bounds.height, screen.height),
  };
}

/** The viewport after resizing: a completely visible drawing stays completely visible, any other does not move. */
export function resized(viewport: Viewport, area: OpeningArea, before: Size, after: Size): Viewport {
  if (!isWithin(viewport, area.bounds, before) || isWithin(viewport, area.bounds, after)) return viewport;
  return openingView(area, after);
}

function isWithin({ x, y, zoom }: Viewport, bounds: Box, { width, height }: Size): boolean {
  const [left, top] = [x + bounds.x * zoom, y + bounds.y * zoom];
  return left >= 0 && top >= 0 && left + bounds.width * zoom <= width && top + bounds.height * zoom <= height;
}

/** Scrolls as little as necessary to show a box. */
export function reveal(viewport: Viewport, box: Box, screen: Size, margin = 16): Viewport {
  const { zoom } = viewport;
  const shift = (start: number, length: number, screenLength: number): number => {
    const before = margin - start;
    const after = screenLength - margin - (start + length);
    // Shows the start of a box larger than the screen.
    return before > 0 || length > screenLength - 2 * margin ? before : Math.min(0, after);
  };
  return pan(viewport, {
    x: shift(viewport.x + box.x * zoom, box.width * zoom, screen.width),
    y: shift(viewport.y + box.y * zoom, box.height * zoom, screen.height),
  });
}

/** Keeps a node that moved on the canvas at its screen position. */
export function follow(viewport: Viewport, before: Point, after: Point): Viewport {
  return pan(viewport, { x: (before.x - after.x) * viewport.zoom, y: (before.y - after.y) * viewport.zoom });
}
