import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import type { CardView, GraphView, RelationshipView } from '../../../protocol/graph-view.ts';
import { type Removal, removedWith } from '../../../protocol/removal.ts';

/** Dependent entries that are removed together with the chosen ones. */
interface Company {
  readonly elements: readonly CardView[];
  readonly relationships: readonly RelationshipView[];
}

/** Finds the dependent entries of a removal. */
export function removalCascade(
  graph: Pick<GraphView, 'dataSource' | 'elements' | 'relationships'>,
  chosen: Removal,
): Company {
  const objectOf = (name: string | undefined, source: string | undefined): DataObjectName | undefined =>
    name === undefined
      ? undefined
      : { name, ...(source === undefined || source === graph.dataSource ? {} : { dataSource: source }) };
  const dependencies = {
    elements: graph.elements.map(({ id, dataObject, dataSource }) => ({
      id,
      dataObject: objectOf(dataObject, dataSource),
    })),
    relationships: graph.relationships.map(({ crossTable, crossTableSource, ...rest }) => ({
      ...rest,
      crossTable: objectOf(crossTable, crossTableSource),
    })),
  };
  const { elements, relationships } = removedWith(dependencies, chosen);
  return {
    elements: graph.elements.filter(({ id }) => elements.has(id) && !chosen.elements?.includes(id)),
    relationships: graph.relationships.filter(({ id }) => relationships.has(id) && !chosen.relationships?.includes(id)),
  };
}
