import type { EntityElement, EntityGraph, Relationship } from '../model/entity-graph.ts';
import type { SourceRange } from '../model/source-range.ts';
import { findElement } from '../query/find-target.ts';
import { nameAt } from './names.ts';

/** An element at the other end of relationships. */
export interface RelatedElement {
  readonly element: EntityElement;
  /** Names that were given to the relationships; derived ones say nothing new. */
  readonly names: readonly string[];
  /** Where the relationships name the element that they lead to. */
  readonly places: readonly SourceRange[];
}

/** Direction: incoming relationships come from other elements, outgoing ones lead to others. */
export type Direction = 'incoming' | 'outgoing';

/** The element whose name stands at an offset, as its own or as an end of a relationship. */
export function elementNamedAt(graph: EntityGraph, offset: number): EntityElement | undefined {
  const thing = nameAt(graph, offset);
  return thing?.kind === 'activity' ? findElement(graph, thing.name) : undefined;
}

/** The elements that relationships join to an activity, each once, in the order in which the file relates them. */
export function relatedElements(graph: EntityGraph, activity: string, direction: Direction): readonly RelatedElement[] {
  const [near, far] = direction === 'incoming' ? (['target', 'source'] as const) : (['source', 'target'] as const);
  const byActivity = new Map<string, Relationship[]>();
  for (const relationship of graph.relationships) {
    const other = relationship[far]?.value;
    if (other === undefined || relationship[near]?.value !== activity) continue;
    byActivity.set(other, [...(byActivity.get(other) ?? []), relationship]);
  }
  return [...byActivity].flatMap(([other, relationships]): readonly RelatedElement[] => {
    const element = findElement(graph, other);
    if (!element) return [];
    const names = relationships.flatMap(({ name }) => name?.value ?? []);
    return [{ element, names, places: relationships.flatMap(({ target }) => target?.range ?? []) }];
  });
}
