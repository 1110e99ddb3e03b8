import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** Looking for a name among all of them is slow when there are many of both; nobody mends more at a time. */
const mostSuggestions = 20;

/** An end of a relationship names no element of the file. */
export const unknownActivity: GraphCheck = {
  codes: ['unknown-activity'],
  check({ graph, index }) {
    const unknown = graph.relationships
      .flatMap(({ source, target }) => [source, target])
      .filter((end) => end !== undefined)
      .filter(({ value }) => !index.elementNamed(value));
    return unknown.map(({ value, range }, place) => {
      const nearest = place < mostSuggestions ? nearestNames(value, index.activityNames()) : [];
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
