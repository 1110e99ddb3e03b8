import type { GraphCatalog } from '../catalog/graph-catalog.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import { entryOutputs } from './entry-outputs.ts';
import { judgedOutputs } from './judged-outputs.ts';
import type { Output } from './output.ts';
import { relationshipOutputs } from './relationship-outputs.ts';

/** All outputs of a graph: those of entries, relationships, rules and measures, each list in the order of the file. */
export function lineageOf(graph: EntityGraph, catalog: GraphCatalog | undefined): readonly Output[] {
  const entries = entryOutputs(graph, catalog);
  const relationships = relationshipOutputs(graph, catalog, entries);
  return [...[...entries.values()].flat(), ...relationships.values(), ...judgedOutputs(graph, entries, relationships)];
}
