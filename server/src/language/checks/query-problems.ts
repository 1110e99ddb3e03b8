import { buildElementQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { GraphCheck } from './check.ts';

/**
 * What keeps a configured element or relationship from being queried: names that the source does not have, a missing
 * key, comparisons of unlike types. The queries themselves find it, so that what is underlined is what would be refused.
 */
export const queryProblems: GraphCheck = {
  codes: ['unknown-data-object', 'permission-denied', 'unknown-column', 'missing-key', 'type-mismatch'],
  check({ graph, catalog }) {
    if (!catalog) return [];
    const results = [
      ...graph.elements.map((element) => buildElementQuery(graph, element, catalog)),
      ...graph.relationships.map((relationship) => buildRelationshipQuery(graph, relationship, catalog)),
    ];
    const own = new Set(queryProblems.codes);
    const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
    return problems.filter(({ code }) => own.has(code));
  },
};
