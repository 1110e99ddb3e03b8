import { quoteIdentifier } from '../query/quote.ts';
import type { PropertyTable } from './judged-graph-tables.ts';

/** No property has this name, because column names of sources hold no NUL and few hold a colon. */
export const judgedColumn = quoteIdentifier('entity-graph:judged');
export const brokenColumn = quoteIdentifier('entity-graph:broken');
const orderColumn = quoteIdentifier('entity-graph:order');

/**
 * A SELECT with a row for each judged thing: its id as `judgedColumn`, and a column for each property that the SQL may
 * name. Of an event these are its own values, of an entity the last known ones of its own events, else of master data.
 * @param judged table with `judged`: ids of events, or of entities
 * @param sql the properties that it does not mention are left out
 */
export function propertyValuesSql(
  tables: readonly PropertyTable[],
  { of, judged, sql }: { readonly of: 'event' | 'entity'; readonly judged: string; readonly sql: string },
): string {
  const text = sql.toLowerCase();
  const mentioned = tables.flatMap((table) => {
    if (of === 'event' && !table.isOfEvents) return [];
    const properties = table.properties.filter((name) => text.includes(name.toLowerCase()));
    return properties.length > 0 ? [{ ...table, properties }] : [];
  });
  const names = [
    ...new Map(mentioned.flatMap(({ properties }) => properties).map((name) => [name.toLowerCase(), name])).values(),
  ];
  if (names.length === 0) return `SELECT judged AS ${judgedColumn} FROM ${judged}`;
  const values = mentioned.map(({ name, isOfEvents, properties }) => {
    const columns = properties.map(quoteIdentifier).join(', ');
    if (of === 'event') return `SELECT event_id AS ${judgedColumn}, ${columns} FROM ${quoteIdentifier(name)}`;
    if (!isOfEvents)
      return `SELECT entity_id AS ${judgedColumn}, -1 AS ${orderColumn}, ${columns} FROM ${quoteIdentifier(name)}`;
    return `SELECT event.entity_id AS ${judgedColumn}, event.id AS ${orderColumn}, ${columns} FROM ${quoteIdentifier(name)} AS properties JOIN event ON event.id = properties.event_id WHERE event.entity_id IS NOT NULL`;
  });
  const all = values.join('\nUNION ALL BY NAME\n');
  const rows =
    of === 'event'
      ? all
      : `SELECT ${judgedColumn}, ${names
          .map(quoteIdentifier)
          .map((name) => `arg_max(${name}, ${orderColumn}) AS ${name}`)
          .join(', ')} FROM (\n${all}\n) GROUP BY ${judgedColumn}`;
  return `SELECT ${judged}.judged AS ${judgedColumn}, value.* EXCLUDE (${judgedColumn})
FROM ${judged} LEFT JOIN (\n${rows}\n) AS value ON value.${judgedColumn} = ${judged}.judged`;
}
