import { nearestName } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** An end of a relationship names no element of the file. */
export const unknownActivity: GraphCheck = {
  codes: ['unknown-activity'],
  check({ graph }) {
    const names = new Set(graph.elements.flatMap(({ activityName }) => activityName?.value ?? []));
    return graph.relationships
      .flatMap(({ source, target }) => [source, target])
      .filter((end) => end !== undefined)
      .filter(({ value }) => !names.has(value))
      .map(({ value, range }) => {
        const nearest = nearestName(value, names);
        const remedy = nearest === undefined ? 'Correct the name, or add the element.' : `Did you mean "${nearest}"?`;
        return {
          code: 'unknown-activity',
          severity: 'error',
          message: `No element of this file has the activity name "${value}". ${remedy}`,
          range,
          ...(nearest === undefined ? {} : { suggestions: [nearest] }),
        };
      });
  },
};
