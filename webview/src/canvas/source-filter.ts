import type { GraphView } from '../../../protocol/graph-view.ts';
import type { CanvasState } from './canvas-state.ts';
import { boxAround } from './geometry.ts';
import type { Picture } from './picture.ts';
import { keyOf } from './view-key.ts';

/** The data sources whose cards are shown, in a graph of several. Ignores hidden names that the graph no longer has. */
export function shownSources(
  view: Pick<GraphView, 'dataSources'> | undefined,
  hidden: readonly string[],
): readonly string[] {
  return (view?.dataSources ?? []).filter((source) => !hidden.includes(source));
}

/** Shows the cards of all data sources but these. Hidden cards lose the selection. */
export function showSources(state: CanvasState, hiddenSources: readonly string[]): CanvasState {
  const { wholePicture } = state;
  const picture = wholePicture && filteredPicture(wholePicture, state.view, hiddenSources);
  const shown = new Set([
    ...(picture?.cards ?? []).map(({ element }) => keyOf.element(element.id)),
    ...(picture?.relationships ?? []).map(({ relationship }) => keyOf.relationship(relationship.id)),
  ]);
  return {
    ...state,
    hiddenSources,
    picture,
    selected: state.selected !== undefined && shown.has(state.selected) ? state.selected : undefined,
    also: state.also.filter((key) => shown.has(key)),
  };
}

/** A picture without the cards of hidden data sources, and without the relationships that end at one of them. */
export function filteredPicture(picture: Picture, view: GraphView | undefined, hidden: readonly string[]): Picture {
  // Unknown names are ignored, and at least one data source stays visible.
  const shown = new Set(shownSources(view, hidden));
  if (shown.size === 0 || shown.size === view?.dataSources?.length) return picture;
  const cards = picture.cards.filter(
    ({ element: { dataSource } }) => dataSource === undefined || shown.has(dataSource),
  );
  const ids = new Set(picture.cards.map(({ element }) => element.id));
  const shownIds = new Set(cards.map(({ element }) => element.id));
  const isHidden = (end: string | undefined): boolean => end !== undefined && ids.has(end) && !shownIds.has(end);
  const relationships = picture.relationships.filter(
    ({ relationship: { source, target } }) => !isHidden(source) && !isHidden(target),
  );
  const boxes = [
    ...cards.map(({ box }) => box),
    ...relationships.flatMap(({ labelBox, lines }) => [
      labelBox,
      ...lines.flat().map(({ x, y }) => ({ x, y, width: 0, height: 0 })),
    ]),
  ];
  const correlations = picture.correlations.filter(
    ({ link: { source, target } }) => !isHidden(source) && !isHidden(target),
  );
  const named = new Set(correlations.map(({ link }) => link.entityType));
  const types = picture.types.filter(({ entityType }) => named.has(entityType));
  const ends = types.map(({ box }) => box);
  return { bounds: boxAround([...boxes, ...ends]) ?? picture.bounds, cards, relationships, correlations, types };
}
