import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** An end of a relationship names no element of the file. */
export const unknownActivity: GraphCheck = {
  codes: ['unknown-activity'],
  scope: 'linked',
  check({ graph, index }) {
    return graph.relationships
      .flatMap(({ source, target }) => [source, target])
      .filter((end) => end !== undefined)
      .filter(({ value }) => !index.elementNamed(value))
      .map(({ value, range }) => {
        const nearest = nearestNames(value, index.activityNames());
        const remedy = didYouMean(nearest) ?? 'Correct the name, or add the element.';
        return {
          code: 'unknown-activity',
          severity: 'error',
          message: `No element of this file has the activity name "${value}". ${remedy}`,
          range,
          ...(nearest.length > 0 ? { suggestions: nearest } : {}),
        };
      });
  },
};
