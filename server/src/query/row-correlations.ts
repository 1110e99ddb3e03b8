import { type EntityElement, hasOwnEntity } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { correlationUnconfigured, listOfCompositeKey, noCorrelation } from './query-problems.ts';

type Correlating = Pick<EntityElement, 'correlatesWith' | 'ownEntity' | 'range'>;

/** The columns that name the entities with which a row is correlated, including repeated ones. */
export function linkedColumns({
  correlatesWith = [],
}: Pick<Correlating, 'correlatesWith'>): readonly Located<string>[] {
  return correlatesWith.flatMap(({ key }) => key);
}

/** What keeps the row correlations of an element from being read. */
export function correlationProblems(element: Correlating): readonly Problem[] {
  const { correlatesWith = [], ownEntity } = element;
  return [
    ...(ownEntity && !hasOwnEntity(element) && correlatesWith.length === 0 ? [noCorrelation(ownEntity)] : []),
    ...correlatesWith.flatMap((entry) => {
      if (!entry.entityType || entry.key.length === 0) return [correlationUnconfigured(entry)];
      return (entry.each ?? entry.separator) && entry.key.length > 1 ? [listOfCompositeKey(entry)] : [];
    }),
  ];
}

/** The same element for a query of its rows alone. */
export function withoutCorrelations(element: EntityElement): EntityElement {
  const left = Object.entries(element).filter(([key]) => key !== 'correlatesWith' && key !== 'ownEntity');
  return Object.fromEntries(left) as unknown as EntityElement;
}
