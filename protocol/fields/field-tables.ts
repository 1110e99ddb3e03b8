import { elementFields } from './element.ts';
import { masterDataFields } from './master-data.ts';
import { processContextFields } from './process-context.ts';
import { crossTableFields, relationshipFields } from './relationship.ts';

/** The fields of each kind of entry, by its definition in `schemas/entity-graph.schema.json`. */
export const fieldTables = {
  element: elementFields,
  entities: masterDataFields,
  processContext: processContextFields,
  relationship: relationshipFields,
  crossTable: crossTableFields,
};
