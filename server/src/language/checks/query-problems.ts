import type { Catalog } from '../../catalog/catalog.ts';
import type { EntityElement, Relationship } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { buildElementQuery, buildRelationshipQuery } from '../../query/build-query.ts';
import type { CompiledQuery, QueryResult } from '../../query/compiled-query.ts';
import type { GraphCheck, GraphContext } from './check.ts';
import { recalled } from './entry-memo.ts';

/**
 * What keeps a configured element or relationship from being queried: names that the source does not have, a missing
 * key, comparisons of unlike types. The queries themselves find it, so that what is underlined is what would be refused.
 */
export const queryProblems: GraphCheck = {
  codes: ['unknown-data-object', 'permission-denied', 'unknown-column', 'missing-key', 'type-mismatch'],
  check(context) {
    const { graph, catalog } = context;
    if (!catalog) return [];
    const elements = new Map(graph.elements.map((element) => [element.activityName?.value, element]));
    return [
      ...graph.elements.flatMap((element) =>
        remembered(context, catalog, element, [], () => buildElementQuery(graph, element, catalog)),
      ),
      ...graph.relationships.flatMap((relationship) => {
        const ends = [relationship.source, relationship.target].map((end) => end && elements.get(end.value));
        return remembered(context, catalog, relationship, ends, () =>
          buildRelationshipQuery(graph, relationship, catalog),
        );
      }),
    ];
  },
};

/** Builds a query only for what has changed: most keystrokes change one entry of many. */
function remembered(
  { parsed, memo }: GraphContext,
  catalog: Catalog,
  entry: EntityElement | Relationship,
  ends: readonly (EntityElement | undefined)[],
  build: () => QueryResult<CompiledQuery>,
): readonly Problem[] {
  const origin = parsed.originOf(entry);
  const others = ends.map((end) => end && parsed.originOf(end));
  const known = origin && recalled(memo?.queries.get(origin), { catalog, others }, entry);
  if (known) return known;
  const { start, end } = entry.range;
  const result = build();
  const problems = 'problems' in result ? result.problems.filter(({ code }) => queryProblems.codes.includes(code)) : [];
  // Problems of the ends stand elsewhere and would not move along.
  const within = problems.every(({ range }) => range.start >= start && range.end <= end);
  if (origin && within) memo?.queries.set(origin, { catalog, others, start, problems });
  return problems;
}
