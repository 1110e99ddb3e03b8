import { cardName } from '../../../protocol/card-name.ts';
import type { CardView, GraphView } from '../../../protocol/graph-view.ts';
import { timesOfCard } from './card-content.ts';
import type { CanvasState } from './canvas-state.ts';
import { boxOf } from './picture.ts';
import { keyOf } from './view-key.ts';

/** The matches that the canvas shows: a filter of data sources leaves cards out. */
export function shownMatches(
  { view, picture }: Pick<CanvasState, 'view' | 'picture'>,
  text: string,
): readonly string[] {
  const matches = matchesOf(view, text);
  return picture ? matches.filter((key) => boxOf(picture, key) !== undefined) : matches;
}

/** Keys of entries that contain a text, elements first, in file order. */
function matchesOf(view: GraphView | undefined, text: string): readonly string[] {
  const wanted = text.trim().toLowerCase();
  if (!view || wanted === '') return [];
  const holds = (...texts: readonly (string | undefined)[]): boolean =>
    texts.some((each) => each?.toLowerCase().includes(wanted));
  return [
    ...view.elements
      .filter((card) => holds(cardName(card), card.dataObject, card.dataSource, ...card.properties, ...ownTexts(card)))
      .map(({ id }) => keyOf.element(id)),
    ...view.relationships
      .filter(({ name, label, crossTable }) => holds(name, label, crossTable))
      .map(({ id }) => keyOf.relationship(id)),
  ];
}

function ownTexts(card: CardView): readonly (string | undefined)[] {
  if (card.isMasterData) return [card.entityType, ...(card.key ?? [])];
  return timesOfCard(card);
}
