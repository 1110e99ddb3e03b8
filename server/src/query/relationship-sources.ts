import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { EntityGraph, Relationship } from '../model/entity-graph.ts';
import { endNamed } from '../model/relationship-ends.ts';

/** The data sources of the ends and the cross table of a relationship that is not a path. */
export function relationshipSources(graph: EntityGraph, relationship: Relationship): ReadonlySet<string | undefined> {
  const ends = [relationship.source, relationship.target].flatMap((end) => (end && endNamed(graph, end.value)) ?? []);
  const places = relationship.crossTable ? [...ends, relationship.crossTable] : ends;
  return new Set(places.map((place) => dataSourceNamed(graph, place)));
}

/** Whether a relationship, which is not a path, joins rows of several data sources. */
export function isAcrossSources(graph: EntityGraph, relationship: Relationship): boolean {
  return relationshipSources(graph, relationship).size > 1;
}
