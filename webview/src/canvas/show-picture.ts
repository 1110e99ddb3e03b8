import { type CanvasState } from './canvas-state.ts';
import { type Point, type Size, centreOf } from './geometry.ts';
import { type Picture, openingOf } from './picture.ts';
import { filteredPicture } from './source-filter.ts';
import { keyOf } from './view-key.ts';
import { type Viewport, follow, openingView } from './viewport.ts';

/**
 * Shows a new layout. After a complete layout the selected card, else the one nearest to the centre, stays in place.
 * Removed entries are deselected.
 */
export function showPicture(
  state: CanvasState,
  whole: Picture,
  screen: { readonly size: Size; readonly fit: boolean; readonly anew: boolean },
): CanvasState {
  const { selected } = state;
  const picture = filteredPicture(whole, state.view, state.hiddenSources);
  const places = placesOf(picture);
  // A newly added entry is selected before its layout exists.
  const stays = selected !== undefined && (places.has(selected) || !placesOf(state.picture).has(selected));
  return {
    ...state,
    selected: stays ? selected : undefined,
    also: state.also.filter((key) => places.has(key)),
    picture,
    wholePicture: whole,
    viewport: screen.fit
      ? openingView(openingOf(picture), screen.size)
      : screen.anew
        ? anchored(state, picture, screen.size)
        : state.viewport,
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

function placesOf(picture: Picture | undefined): ReadonlyMap<string, Point> {
  const { cards = [], relationships = [], correlations = [] } = picture ?? {};
  return new Map([
    ...cards.map(({ element, box }) => [keyOf.element(element.id), centreOf(box)] as const),
    ...relationships.map(
      ({ relationship, labelBox }) => [keyOf.relationship(relationship.id), centreOf(labelBox)] as const,
    ),
    ...correlations.map(({ link, handle }) => [keyOf.correlation(link.id), centreOf(handle)] as const),
  ]);
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Size of the canvas: that of the viewport, else of the page. */
export function screenSize(root: HTMLElement): Size {
  const { clientWidth: width, clientHeight: height } = root.querySelector('#viewport') ?? root;
  return { width, height };
}
