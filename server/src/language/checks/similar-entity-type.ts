import { elementEntityType, hasOwnEntity, typesNamedByRows } from '../../model/entity-graph.ts';
import { nearestName } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** An entity type that only rows name and that resembles the type of an element or entry: probably a typing error. */
export const similarEntityType: GraphCheck = {
  codes: ['similar-entity-type'],
  check({ graph }) {
    const named = graph.elements.flatMap(typesNamedByRows);
    if (named.length === 0) return [];
    const made = new Set(
      [...graph.elements.filter(hasOwnEntity), ...graph.entities].flatMap((source) => elementEntityType(source) ?? []),
    );
    return named.flatMap(({ value, range }) => {
      const nearest = made.has(value) ? undefined : nearestName(value, made);
      if (nearest === undefined) return [];
      return {
        code: 'similar-entity-type',
        severity: 'warning',
        message: `Nothing else makes entities of type "${value}". Did you mean "${nearest}"?`,
        range,
        suggestions: [nearest],
      };
    });
  },
};
