import type { CardView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { type Removal, removedWith } from '../../../protocol/removal.ts';

/** Dependent entries that are removed together with the chosen ones. */
export interface Company {
  readonly elements: readonly CardView[];
  readonly relationships: readonly RelationshipView[];
}

/** Finds the dependent entries of a removal. */
export function removalCascade(graph: Pick<GraphView, 'elements' | 'relationships'>, chosen: Removal): Company {
  const { elements, relationships } = removedWith(graph, chosen);
  return {
    elements: graph.elements.filter(({ id }) => elements.has(id) && !chosen.elements?.includes(id)),
    relationships: graph.relationships.filter(({ id }) => relationships.has(id) && !chosen.relationships?.includes(id)),
  };
}
