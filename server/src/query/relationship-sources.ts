import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityGraph, Relationship } from '../model/entity-graph.ts';
import { pathScope } from '../model/relationship-path.ts';
import { endNamed } from '../model/relationship-ends.ts';

/** The data sources of the ends and the cross table of a relationship that is not a path. */
export function relationshipSources(graph: EntityGraph, relationship: Relationship): ReadonlySet<string | undefined> {
  const ends = [relationship.source, relationship.target].flatMap((end) => (end && endNamed(graph, end.value)) ?? []);
  const places = relationship.crossTable ? [...ends, relationship.crossTable] : ends;
  return new Set(places.map((place) => dataSourceNamed(graph, place)));
}

/** The data sources of a relationship; of a path those of all relationships that it follows. */
export function sourcesAlong(graph: EntityGraph, relationship: Relationship): ReadonlySet<string | undefined> {
  const scope = pathScope(graph);
  const seen = new Set<Relationship>();
  const found = new Set<string | undefined>();
  const visit = (each: Relationship): void => {
    if (seen.has(each)) return;
    seen.add(each);
    if (!each.path) for (const source of relationshipSources(graph, each)) found.add(source);
    for (const { relationship: name } of each.path?.steps ?? []) {
      const step = scope.relationshipNamed(name.value);
      if (step) visit(step);
    }
  };
  visit(relationship);
  return found;
}

/** Whether a relationship, which is not a path, joins rows of several data sources. */
export function isAcrossSources(graph: EntityGraph, relationship: Relationship): boolean {
  return relationshipSources(graph, relationship).size > 1;
}
