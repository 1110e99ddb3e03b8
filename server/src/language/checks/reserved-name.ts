import type { EntityElement } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** Names that the format itself uses: `self` qualifies an event's own entity, the others are aliases of a relationship's sides. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** An activity or a relationship has a name with a meaning of its own. */
export const reservedName: GraphCheck = {
  codes: ['reserved-name'],
  scope: 'entry',
  check: ({ graph }) => {
    const names = [
      ...graph.elements.map(({ activityName }) => activityName),
      ...graph.entities.map(({ name, entityType, dataObject }) => name ?? entityType ?? dataObject),
      ...graph.relationships.map(({ name }) => name),
    ];
    const taken = names
      .filter((name) => name !== undefined)
      .filter(({ value }) => reserved.has(value))
      .map(({ value, range }): Problem => {
        const message = `"${value}" is a reserved name. Choose another one.`;
        return { code: 'reserved-name', severity: 'error', message, range };
      });
    return [...taken, ...graph.elements.flatMap(selfQualifiers)];
  },
};

/** Correlations with an event's own entity have this qualifier. */
function selfQualifiers({ correlatesWith = [] }: EntityElement): readonly Problem[] {
  return correlatesWith.flatMap(({ qualifier, entityType }) => {
    const name = qualifier ?? entityType;
    if (name?.value !== 'self') return [];
    const message = '"self" is the qualifier of an event\'s own entity. Give this correlation another qualifier.';
    return { code: 'reserved-name', severity: 'error', message, range: name.range };
  });
}
