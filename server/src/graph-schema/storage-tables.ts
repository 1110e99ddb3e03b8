/**
 * The schema of a store with the tables behind its views. The embedded engine stores some tables of the graph in a form
 * that takes less time and room, and creates views with their names, columns and types. No other schema or database is
 * likely to have this name, which would make it ambiguous.
 */
export const storageSchema = 'entity_graph_storage';

/** The table behind `event`, with codes of names instead of texts. */
export const codedEventsTable = 'coded_event';

/** The tables behind `event_entity`, beside `event`: the correlations with entities that are not the event's own. Missing where there can be none. */
export const otherCorrelationsTable = 'other_correlation';

/** The table behind `properties_<n>`, where rows of the element can have several events. @param number of the element, 1-based */
export function rowPropertiesTable(number: number): string {
  return `row_properties_${Math.trunc(number)}`;
}

/** The tables behind `relation`, with codes of names instead of texts. */
export const codedRelationsTable = 'coded_relation';

/** The ENUM types of columns that repeat few names, in the schema of tables behind views. `qualifier` has the names of relationships as well. */
export type CodeType = 'element' | 'lifecycle' | 'activity' | 'qualifier';
