import type { CardView, GraphView } from '../../../protocol/graph-view.ts';
import { idIn } from './view-key.ts';

/** What a row correlation of an element is drawn as: a line from its card to that of the entity type. */
export interface CorrelationLink {
  /** Unique in the graph. */
  readonly id: string;
  /** Id of the element. */
  readonly source: string;
  /** Id of the card of the entity type; absent where only correlations name the type. */
  readonly target?: string | undefined;
  readonly entityType: string;
  /** Its place in `correlatesWith` of the element. */
  readonly index: number;
  /** In words, for tooltip and screen readers. */
  readonly qualifier?: string | undefined;
}

/** The correlations of a graph, and the entity types that have no card. */
interface CorrelationLinks {
  readonly links: readonly CorrelationLink[];
  readonly types: readonly string[];
}

/** The picture and the layout ask for those of the same graph. */
const known = new WeakMap<readonly CardView[], CorrelationLinks>();

/** The row correlations of all elements, in file order. Master data is the card of its type, else the first element. */
export function correlationLinks({ elements }: Pick<GraphView, 'elements'>): CorrelationLinks {
  const before = known.get(elements);
  if (before) return before;
  const found = findLinks(elements);
  known.set(elements, found);
  return found;
}

/** The correlation with a key. */
export function correlationOf(view: GraphView | undefined, key: string | undefined): CorrelationLink | undefined {
  const id = idIn('correlation', key);
  return view && id !== undefined ? correlationLinks(view).links.find((link) => link.id === id) : undefined;
}

function findLinks(elements: readonly CardView[]): CorrelationLinks {
  const correlating = elements.filter((card) => correlationsOf(card).length > 0);
  if (correlating.length === 0) return { links: [], types: [] };
  const cards = cardsByType(elements);
  const links = correlating.flatMap((card) =>
    correlationsOf(card).flatMap(({ entityType, qualifier }, index): readonly CorrelationLink[] => {
      if (entityType === undefined || entityType === '') return [];
      const target = cards.get(entityType);
      return target === card.id
        ? []
        : [{ id: `${card.id}:${index}`, source: card.id, target, entityType, index, qualifier }];
    }),
  );
  const types = links.filter(({ target }) => target === undefined).map(({ entityType }) => entityType);
  return { links, types: [...new Set(types)] };
}

function correlationsOf(card: CardView) {
  return card.isMasterData ? [] : (card.values.correlatesWith ?? []);
}

/** The entity type of a card; undefined where its events have no entity of their own. */
export function entityTypeOf(card: CardView): string | undefined {
  if (!card.isMasterData && card.values.ownEntity === false) return undefined;
  return card.values.entityType ?? card.values.dataObject;
}

/** Events without an entity of their own have the colour of the first type that their rows name. */
export function shownTypeOf(card: CardView): string | undefined {
  return entityTypeOf(card) ?? (card.isMasterData ? undefined : card.values.correlatesWith?.[0]?.entityType);
}

function cardsByType(elements: readonly CardView[]): ReadonlyMap<string, string> {
  const cards = new Map<string, string>();
  for (const wanted of [true, undefined] as const) {
    for (const card of elements) {
      const type = entityTypeOf(card);
      if (card.isMasterData === wanted && type !== undefined && !cards.has(type)) cards.set(type, card.id);
    }
  }
  return cards;
}

/**
 * Cards that nothing joins, with the card of their entity type: laid out beside it, without a line. Otherwise they
 * would stand apart from the graph, in a row of islands.
 */
export function kinOfIslands({
  elements,
  relationships,
}: Pick<GraphView, 'elements' | 'relationships'>): readonly { readonly island: string; readonly kin: string }[] {
  const { links } = correlationLinks({ elements });
  const joined = new Set([
    ...relationships.flatMap(({ source, target }) => [source, target]),
    ...links.flatMap(({ source, target }) => [source, target]),
  ]);
  const cards = cardsByType(elements);
  return elements.flatMap((card) => {
    const kin = cards.get(entityTypeOf(card) ?? '');
    return kin === undefined || kin === card.id || joined.has(card.id) ? [] : [{ island: card.id, kin }];
  });
}
