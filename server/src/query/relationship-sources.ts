import type { Catalog } from '../catalog/catalog.ts';
import { type GraphCatalog, catalogOf } from '../catalog/graph-catalog.ts';
import { dataSourceNamed } from '../model/data-sources-used.ts';
import type { CrossTable, EntityGraph, EntitySource, Relationship } from '../model/entity-graph.ts';
import { pathScope } from '../model/relationship-path.ts';
import { endNamed } from '../model/relationship-ends.ts';

/** The names of the data sources of a relationship; of a path those of all relationships that it follows. */
export function sourcesAlong(graph: EntityGraph, relationship: Relationship): ReadonlySet<string | undefined> {
  return new Set(placesAlong(graph, relationship).map((place) => dataSourceNamed(graph, place)));
}

/**
 * The catalogs of the data sources of a relationship, independent of the rest of the graph. Contains undefined for an
 * unconfigured data source.
 */
export function catalogsAlong(
  graph: EntityGraph,
  relationship: Relationship,
  catalog: GraphCatalog,
): ReadonlySet<Catalog | undefined> {
  return new Set(placesAlong(graph, relationship).map((place) => catalogOf(catalog, place)));
}

/** The ends and cross tables that a relationship leads along. */
function placesAlong(graph: EntityGraph, relationship: Relationship): readonly (EntitySource | CrossTable)[] {
  if (!relationship.path) return placesOf(graph, relationship);
  const scope = pathScope(graph);
  const seen = new Set<Relationship>();
  const visit = (each: Relationship): readonly (EntitySource | CrossTable)[] => {
    if (seen.has(each)) return [];
    seen.add(each);
    if (!each.path) return placesOf(graph, each);
    return each.path.steps.flatMap((step) => {
      const next = scope.relationshipNamed(step.relationship.value);
      return next ? visit(next) : [];
    });
  };
  return visit(relationship);
}

function placesOf(graph: EntityGraph, { source, target, crossTable }: Relationship) {
  const ends = [source, target].flatMap((end) => (end && endNamed(graph, end.value)) ?? []);
  return crossTable ? [...ends, crossTable] : ends;
}
