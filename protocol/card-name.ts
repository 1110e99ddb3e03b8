import type { CardView } from './graph-view.ts';
import type { QueryTarget } from './query-results.ts';

/** The name of a card, by which relationships and queries refer to it; undefined without one. */
export function cardName(card: CardView | undefined): string | undefined {
  return card?.isMasterData ? card.name : card?.activityName;
}

/** The target of queries of a card; undefined without a name. */
export function cardTarget(card: CardView, name: string): QueryTarget;
export function cardTarget(card: CardView, name?: string): QueryTarget | undefined;
export function cardTarget(card: CardView, name = cardName(card)): QueryTarget | undefined {
  return name === undefined ? undefined : { kind: card.isMasterData ? 'entities' : 'element', name };
}
