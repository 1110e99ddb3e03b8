import { elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/**
 * An element without a relationship whose entities no other element shares or names in its rows. Not reported in a graph
 * without relationships.
 */
export const unreachableElement: GraphCheck = {
  codes: ['unreachable-element'],
  sections: ['relationships'],
  check({ index }) {
    return [...index.unrelated].flatMap((name): readonly Problem[] => {
      const element = index.endNamed(name);
      const type = element && elementEntityType(element);
      if (
        !element ||
        'isMasterData' in element ||
        !element.activityName ||
        type === undefined ||
        index.elementsOfType(type) > 1 ||
        index.isNamedByRows(type)
      )
        return [];
      const message = `Nothing relates "${name}" to the other elements: no relationship names it, and no other element has or names entities of type "${type}". Add a relationship.`;
      return [{ code: 'unreachable-element', severity: 'information', message, range: element.activityName.range }];
    });
  },
};
