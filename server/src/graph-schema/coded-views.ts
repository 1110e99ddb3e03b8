import { codedEventsTable, codedRelationsTable, storageSchema } from './storage-tables.ts';

/** A view in front of one of the store, with the codes of names where that has their texts. */
export interface CodedView {
  readonly name: 'event' | 'relation';
  /** The table with the codes; fetched graphs, and graphs without relations, have none. */
  readonly table: string;
  /** Finds a row whose names are not all codes, if there can be one. @param columns of the table */
  strangeRowSql(columns: ReadonlySet<string>): string | undefined;
  /** Creates the view. @param columns of the table */
  createSql(columns: ReadonlySet<string>): string;
}

const codedEvents = `${storageSchema}.${codedEventsTable}`;
const codedRelations = `${storageSchema}.${codedRelationsTable}`;

/**
 * The tables whose names are codes. Readers that group, join and filter by them take a third of the time; codes are
 * sorted and compared like the texts, but are of another type, so that only the product's own statements read them.
 */
export const codedViews: readonly CodedView[] = [
  {
    name: 'event',
    table: codedEvents,
    strangeRowSql: (columns) =>
      columns.has('other_activity')
        ? `SELECT 1 AS found FROM ${codedEvents} WHERE other_activity IS NOT NULL LIMIT 1`
        : undefined,
    createSql: (columns) =>
      `CREATE TEMP VIEW event AS SELECT id, element, ${columns.has('activity') ? 'activity' : 'element AS activity'}, lifecycle, time, entity_id FROM ${codedEvents}`,
  },
  {
    name: 'relation',
    table: codedRelations,
    strangeRowSql: () => undefined,
    createSql: () =>
      `CREATE TEMP VIEW relation AS SELECT relationship, source_entity_id, target_entity_id FROM ${codedRelations}`,
  },
];
