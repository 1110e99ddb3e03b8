import type { Relationship } from '../../model/entity-graph.ts';
import type { Located } from '../../model/source-range.ts';
import { didYouMean, nearestNames } from '../../model/nearest-name.ts';
import type { GraphCheck } from './check.ts';

/** Maximum number of similarity searches, which are slow for many names. */
const maxSuggestions = 20;

/** A relationship end that names no element. */
export const unknownActivity: GraphCheck = {
  codes: ['unknown-activity'],
  check({ index }) {
    const unknown = [...index.unknownEnds]
      .flatMap((name) => [...index.relationshipsOf(name)].flatMap((relationship) => endsNamed(name, relationship)))
      .sort((left, right) => left.range.start - right.range.start);
    return unknown.map(({ value, range }, place) => {
      const nearest = place < maxSuggestions ? nearestNames(value, index.activityNames()) : [];
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

function endsNamed(name: string, { source, target }: Relationship): readonly Located<string>[] {
  return [source, target].flatMap((end) => (end?.value === name ? [end] : []));
}
