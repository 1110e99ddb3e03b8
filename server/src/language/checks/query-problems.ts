import type { Problem } from '../../model/problem.ts';
import { buildElementQuery, buildMasterDataQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { CompiledQuery, QueryResult } from '../../query/compiled-query.ts';
import type { GraphCheck } from './check.ts';

/**
 * Problems that prevent the query of a configured element or relationship: unknown names, a missing key, incompatible
 * types. They come from building the query, so that diagnostics match its failures.
 */
export const queryProblems: GraphCheck = {
  codes: ['unknown-data-object', 'permission-denied', 'unknown-column', 'missing-key', 'type-mismatch'],
  scope: 'linked',
  check({ graph, catalog, index }) {
    if (!catalog) return [];
    return [
      ...graph.elements.flatMap((element) => problemsOf(buildElementQuery(graph, element, catalog))),
      ...graph.relationships.flatMap((relationship) => {
        // Problems of paths have their own rules.
        if (relationship.path) return [];
        const { source, target } = relationship;
        const ends = [source, target].flatMap((end) => (end && index.endNamed(end.value)) ?? []);
        const elements = ends.filter((end) => !('isMasterData' in end));
        const entities = ends.filter((end) => 'isMasterData' in end);
        return problemsOf(buildRelationshipQuery({ ...graph, elements, entities }, relationship, catalog));
      }),
    ];
  },
};

/** Problems of queries of entries of `entities`. */
export const masterDataProblems: GraphCheck = {
  codes: queryProblems.codes,
  check: ({ graph, catalog }) =>
    catalog ? graph.entities.flatMap((entry) => problemsOf(buildMasterDataQuery(entry, catalog))) : [],
};

function problemsOf(result: QueryResult<CompiledQuery>): readonly Problem[] {
  return 'problems' in result ? result.problems.filter(({ code }) => queryProblems.codes.includes(code)) : [];
}
