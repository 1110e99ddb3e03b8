import { type Box, type Size, overlaps } from './geometry.ts';
import { type Picture, openingOf } from './picture.ts';
import { type Viewport, openingView } from './viewport.ts';

interface MinimapPlace {
  readonly corner: Corner;
  readonly size: Size;
}

/** As a class name; the first free one is taken. */
type Corner = (typeof corners)[number];

const corners = ['bottom right', 'bottom left', 'top right', 'top left'] as const;

/** Largest size; less in a low or narrow panel. */
const largest: Size = { width: 160, height: 110 };
const largestShare = 0.25;

/** Distance from the edges of the panel, and from the drawing. */
const margin = 12;

/** In a narrower panel, in pixels, the minimap would cover much of the drawing. */
const minScreenWidth = 600;

/**
 * Where the minimap stands, so that it covers no card and no label of the graph as it opens. It depends on the opening
 * view alone: scrolling does not make it jump. Where no corner is free, it appears once the user has scrolled or zoomed.
 */
export function minimapPlace(picture: Picture, screen: Size, viewport: Viewport): MinimapPlace | undefined {
  if (screen.width < minScreenWidth) return undefined;
  const before = known.get(picture);
  const found =
    before?.screen.width === screen.width && before.screen.height === screen.height
      ? before
      : findPlace(picture, screen);
  known.set(picture, found);
  if (found.place) return found.place;
  return isSame(viewport, found.opening)
    ? undefined
    : { corner: 'bottom right', size: usualSize(picture.bounds, screen) };
}

interface FoundPlace {
  readonly screen: Size;
  readonly opening: Viewport;
  readonly place: MinimapPlace | undefined;
}

/** Each frame of a movement asks for the same picture, and all its boxes decide. */
const known = new WeakMap<Picture, FoundPlace>();

function findPlace(picture: Picture, screen: Size): FoundPlace {
  const opening = openingView(openingOf(picture), screen);
  const boxes = [...picture.cards.map(({ box }) => box), ...picture.relationships.map(({ labelBox }) => labelBox)];
  const drawn = boxes.map((box) => onScreen(box, opening));
  const usual = usualSize(picture.bounds, screen);
  const small = { width: Math.ceil(usual.width / 2), height: Math.ceil(usual.height / 2) };
  for (const size of [usual, small]) {
    const corner = corners.find((each) => {
      const place = cornerBox(each, size, screen);
      return !drawn.some((box) => overlaps(box, place, margin / 2));
    });
    if (corner) return { screen, opening, place: { corner, size } };
  }
  return { screen, opening, place: undefined };
}

function usualSize(bounds: Size, screen: Size): Size {
  return sizeWithin(bounds, {
    width: Math.min(largest.width, screen.width * largestShare),
    height: Math.min(largest.height, screen.height * largestShare),
  });
}

function sizeWithin(bounds: Size, most: Size): Size {
  const scale = Math.min(most.width / bounds.width, most.height / bounds.height);
  return { width: Math.ceil(bounds.width * scale), height: Math.ceil(bounds.height * scale) };
}

function cornerBox(corner: Corner, { width, height }: Size, screen: Size): Box {
  return {
    x: corner.endsWith('right') ? screen.width - margin - width : margin,
    y: corner.startsWith('bottom') ? screen.height - margin - height : margin,
    width,
    height,
  };
}

function onScreen({ x, y, width, height }: Box, { x: left, y: top, zoom }: Viewport): Box {
  return { x: left + x * zoom, y: top + y * zoom, width: width * zoom, height: height * zoom };
}

function isSame(one: Viewport, other: Viewport): boolean {
  return one.x === other.x && one.y === other.y && one.zoom === other.zoom;
}
