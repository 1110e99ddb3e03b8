import type { ElementView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';

/** What is taken out of a graph. Ids are those of the view. */
export interface Removal {
  readonly elements?: readonly string[];
  readonly relationships?: readonly string[];
  readonly dataObjects?: readonly string[];
}

/** What leaves the graph beside what was chosen, as it cannot be without it. */
export interface Company {
  readonly elements: readonly ElementView[];
  readonly relationships: readonly RelationshipView[];
}

/** Elements go with their data object; relationships go with either end and with their cross table. */
export function goesWith(
  { elements, relationships }: Pick<GraphView, 'elements' | 'relationships'>,
  { elements: chosen = [], relationships: chosenLinks = [], dataObjects = [] }: Removal,
): Company {
  const uses = (name: string | undefined): boolean => name !== undefined && dataObjects.includes(name);
  const taken = elements.filter(({ id, dataObject }) => !chosen.includes(id) && uses(dataObject));
  const gone = new Set([...chosen, ...taken.map(({ id }) => id)]);
  return {
    elements: taken,
    relationships: relationships.filter(
      ({ id, source, target, crossTable }) =>
        !chosenLinks.includes(id) &&
        ((source !== undefined && gone.has(source)) || (target !== undefined && gone.has(target)) || uses(crossTable)),
    ),
  };
}
