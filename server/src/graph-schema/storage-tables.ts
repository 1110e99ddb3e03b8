/**
 * The schema of a store with the tables behind its views. The embedded engine stores some tables of the graph in a form
 * that takes less time and room, and creates views with their names, columns and types. No other schema or database is
 * likely to have this name, which would make it ambiguous.
 */
export const storageSchema = 'entity_graph_storage';

/** The tables behind `event_entity`, beside `event`: the correlations with entities that are not the event's own. Missing where there can be none. */
export const otherCorrelationsTable = 'other_correlation';
