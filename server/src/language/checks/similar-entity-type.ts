import { elementEntityType, hasOwnEntity } from '../../model/entity-graph.ts';
import { nearestName } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** An entity type that only rows name and that resembles the type of an element or entry: probably a typing error. */
export const similarEntityType: GraphCheck = {
  codes: ['similar-entity-type'],
  check({ graph }) {
    if (!graph.elements.some(({ correlatesWith }) => correlatesWith)) return [];
    const made = new Set(
      [...graph.elements.filter(hasOwnEntity), ...graph.entities].flatMap((source) => elementEntityType(source) ?? []),
    );
    return graph.elements.flatMap(({ correlatesWith = [] }) =>
      correlatesWith.flatMap(({ entityType }) => {
        if (!entityType || made.has(entityType.value)) return [];
        const nearest = nearestName(entityType.value, made);
        if (nearest === undefined) return [];
        return {
          code: 'similar-entity-type',
          severity: 'warning',
          message: `Nothing else makes entities of type "${entityType.value}". Did you mean "${nearest}"?`,
          range: entityType.range,
          suggestions: [nearest],
        };
      }),
    );
  },
};
