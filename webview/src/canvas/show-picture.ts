import { type CanvasState, keyOf } from './canvas-state.ts';
import { type Point, type Size, centreOf } from './geometry.ts';
import type { Picture } from './picture.ts';
import { type Viewport, fit, follow, readableZoom } from './viewport.ts';

/**
 * Takes a new picture in. The card that is selected, else the one nearest to the middle of the screen, stays where it
 * is; a selection of what is gone ends.
 */
export function showPicture(
  state: CanvasState,
  picture: Picture,
  screen: { readonly size: Size; readonly fit: boolean },
): CanvasState {
  const { selected, ...rest } = state;
  const stays = selected !== undefined && placesOf(picture).has(selected);
  return {
    ...rest,
    ...(stays ? { selected } : {}),
    picture,
    viewport: screen.fit ? fit(picture.bounds, screen.size, readableZoom) : anchored(state, picture, screen.size),
  };
}

function anchored({ viewport, picture: before, selected }: CanvasState, picture: Picture, size: Size): Viewport {
  if (!before) return viewport;
  const places = placesOf(picture);
  const known = [...placesOf(before)].filter(([key]) => places.has(key));
  const middle = {
    x: (size.width / 2 - viewport.x) / viewport.zoom,
    y: (size.height / 2 - viewport.y) / viewport.zoom,
  };
  const nearest = known.toSorted(([, one], [, other]) => distance(one, middle) - distance(other, middle))[0];
  const [key, from] = known.find(([candidate]) => candidate === selected) ?? nearest ?? [];
  const to = key === undefined ? undefined : places.get(key);
  return from && to ? follow(viewport, from, to) : viewport;
}

function placesOf({ cards, relationships }: Picture): ReadonlyMap<string, Point> {
  return new Map([
    ...cards.map(({ element, box }) => [keyOf.element(element.id), centreOf(box)] as const),
    ...relationships.map(
      ({ relationship, labelBox }) => [keyOf.relationship(relationship.id), centreOf(labelBox)] as const,
    ),
  ]);
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The space that the canvas has on the screen: that of the viewport once it is there, else that of the page. */
export function screenSize(root: HTMLElement): Size {
  const { clientWidth: width, clientHeight: height } = root.querySelector('#viewport') ?? root;
  return { width, height };
}
