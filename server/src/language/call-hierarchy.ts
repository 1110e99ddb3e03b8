import type { EntityGraph, EntitySource, Relationship } from '../model/entity-graph.ts';
import { endNamed } from '../model/relationship-ends.ts';
import type { SourceRange } from '../model/source-range.ts';
import { nameAt } from './names.ts';

/** An element or an entry of `entities` at the other end of relationships. */
interface RelatedElement {
  readonly element: EntitySource;
  /** The written names of the relationships; derived names add nothing. */
  readonly names: readonly string[];
  /** Ranges in which the relationships name the related element. */
  readonly places: readonly SourceRange[];
}

/** Direction: incoming relationships come from other elements, outgoing ones lead to others. */
export type Direction = 'incoming' | 'outgoing';

/** The element or entry of `entities` that relationships name by the name at an offset. */
export function elementNamedAt(graph: EntityGraph, offset: number): EntitySource | undefined {
  const thing = nameAt(graph, offset);
  return thing?.kind === 'activity' ? endNamed(graph, thing.name) : undefined;
}

/** The elements related to an activity, each once, in the order of the relationships in the file. */
export function relatedElements(graph: EntityGraph, activity: string, direction: Direction): readonly RelatedElement[] {
  const [near, far] = direction === 'incoming' ? (['target', 'source'] as const) : (['source', 'target'] as const);
  const byActivity = new Map<string, Relationship[]>();
  for (const relationship of graph.relationships) {
    const other = relationship[far]?.value;
    if (other === undefined || relationship[near]?.value !== activity) continue;
    byActivity.set(other, [...(byActivity.get(other) ?? []), relationship]);
  }
  return [...byActivity].flatMap(([other, relationships]): readonly RelatedElement[] => {
    const element = endNamed(graph, other);
    if (!element) return [];
    const names = relationships.flatMap(({ name }) => name?.value ?? []);
    return [{ element, names, places: relationships.flatMap(({ target }) => target?.range ?? []) }];
  });
}
