import type { ElementView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { type Removal, removedWith } from '../../../protocol/removal.ts';

/** What leaves the graph beside what was chosen, as it cannot be without it. */
export interface Company {
  readonly elements: readonly ElementView[];
  readonly relationships: readonly RelationshipView[];
}

/** What else leaves the graph with what is taken out of it. */
export function goesWith(graph: Pick<GraphView, 'elements' | 'relationships'>, chosen: Removal): Company {
  const { elements, relationships } = removedWith(graph, chosen);
  return {
    elements: graph.elements.filter(({ id }) => elements.has(id) && !chosen.elements?.includes(id)),
    relationships: graph.relationships.filter(({ id }) => relationships.has(id) && !chosen.relationships?.includes(id)),
  };
}
