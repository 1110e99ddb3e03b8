import { draftMessage, isCrossTableComplete } from '../../model/configuration-state.ts';
import type { GraphCheck } from './check.ts';
import { firstLine } from './element-unconfigured.ts';

/** A relationship without a join: the dotted line on the canvas. */
export const relationshipDraft: GraphCheck = {
  codes: ['relationship-draft', 'incomplete-cross-table'],
  scope: 'entry',
  check: ({ graph, parsed }) =>
    graph.relationships.flatMap((relationship) => {
      const message = draftMessage(relationship);
      if (message === undefined) return [];
      const { crossTable, source, target } = relationship;
      const incomplete = source && target && crossTable && !isCrossTableComplete(crossTable);
      const range = incomplete ? crossTable.range : (relationship.name?.range ?? relationship.range);
      const code = incomplete ? 'incomplete-cross-table' : 'relationship-draft';
      return { code, severity: 'error', message, range: firstLine(range, parsed.yaml.text) };
    }),
};
