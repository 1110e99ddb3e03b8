import { elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/**
 * Nothing leads from an element to any other: no relationship, and no other element has its entities. In a graph without
 * relationships nothing is related yet.
 */
export const unreachableElement: GraphCheck = {
  codes: ['unreachable-element'],
  check({ graph, index }) {
    if (graph.relationships.length === 0) return [];
    return [...index.unrelated].flatMap((name): readonly Problem[] => {
      const element = index.endNamed(name);
      const type = element && elementEntityType(element);
      if (
        !element ||
        'isMasterData' in element ||
        !element.activityName ||
        type === undefined ||
        index.elementsOfType(type) > 1
      )
        return [];
      const message = `Nothing relates "${name}" to the other elements: no relationship names it, and no other element has entities of type "${type}". Add a relationship.`;
      return [{ code: 'unreachable-element', severity: 'information', message, range: element.activityName.range }];
    });
  },
};
