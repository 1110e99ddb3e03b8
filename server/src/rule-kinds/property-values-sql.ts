import { duckdb } from '../dialects/duckdb.ts';
import type { JudgedGraphTables, PropertyTable } from './judged-tables.ts';

/** No property has this name, because column names of sources hold no NUL and few hold a colon. */
const judgedName = 'entity-graph:judged';
export const judgedColumn = duckdb.identifiers.quote(judgedName);
export const brokenColumn = duckdb.identifiers.quote('entity-graph:broken');
const orderColumn = duckdb.identifiers.quote('entity-graph:order');

/**
 * A SELECT with a row for each judged entity or event: its id as `judgedColumn`, and a column for each property that
 * the SQL may name. An event has its own values; an entity has the last known values of its events, else those of
 * master data. @param judged table with `judged`: ids of events, or of entities @param sql properties that it does not
 * mention are left out
 */
export function propertyValuesSql(
  graph: JudgedGraphTables,
  { of, judged, sql }: { readonly of: 'event' | 'entity'; readonly judged: string; readonly sql: string },
): string {
  const { quote } = graph.dialect.identifiers;
  const tables = graph.properties.filter(({ isOfEvents }) => of === 'entity' || isOfEvents);
  const columns = mentionedColumns(tables, sql, graph);
  if (columns.length === 0) return `SELECT judged AS ${judgedColumn} FROM ${judged}`;
  const all = rowsOf(tables, columns, of, graph).join('\nUNION ALL\n');
  const names = columns.map(({ name }) => quote(name));
  const lastKnown = columns.map(
    ({ type }, index) => `${graph.dialect.build.lastKnown(names[index] ?? '', orderColumn, type)} AS ${names[index]}`,
  );
  const rows =
    of === 'event'
      ? all
      : `SELECT ${judgedColumn}, ${lastKnown.join(', ')} FROM (\n${all}\n) AS known GROUP BY ${judgedColumn}`;
  return `SELECT ${judged}.judged AS ${judgedColumn}, ${names.map((name) => `value.${name}`).join(', ')}
FROM ${judged} LEFT JOIN (\n${rows}\n) AS value ON value.${judgedColumn} = ${judged}.judged`;
}

/** A property of several tables, united to one column. */
interface MentionedColumn {
  readonly name: string;
  /** The name as the engine compares it. */
  readonly key: string;
  readonly type: string | undefined;
}

function mentionedColumns(
  tables: readonly PropertyTable[],
  sql: string,
  { dialect }: JudgedGraphTables,
): readonly MentionedColumn[] {
  const text = sql.toLowerCase();
  const found = new Map<string, { readonly name: string; readonly types: string[] }>();
  for (const { properties, types } of tables) {
    for (const [index, name] of properties.entries()) {
      const isMentioned = [name, dialect.identifiers.quote(name)].some((each) => text.includes(each.toLowerCase()));
      if (!isMentioned) continue;
      const key = dialect.identifiers.key(name);
      const before = found.get(key) ?? { name, types: [] };
      before.types.push(types[index] ?? '');
      found.set(key, before);
    }
  }
  return [...found].map(([key, { name, types }]) => ({ name, key, type: dialect.build.judging.unionType(types) }));
}

/** SELECTs of the values in the tables that have any of the properties. */
function rowsOf(
  tables: readonly PropertyTable[],
  columns: readonly MentionedColumn[],
  of: 'event' | 'entity',
  graph: JudgedGraphTables,
): readonly string[] {
  const found = tables.flatMap((table) => valuesIn(table, columns, graph) ?? []);
  if (of === 'event') {
    return found.map(({ values, from }) => `SELECT properties.event_id AS ${judgedColumn}, ${values} FROM ${from}`);
  }
  const ofEvents = found.filter(({ isOfEvents }) => isOfEvents);
  const ofEntities = found.filter(({ isOfEvents }) => !isOfEvents);
  // Where each read of a table is a stage of its own, events are read once for all elements.
  const isUnited = graph.dialect.build.judging.readOnce !== undefined && ofEvents.length > 1;
  const joined = isUnited ? [united(ofEvents, columns, graph)] : ofEvents;
  return [
    ...joined.map(
      ({ values, from }) =>
        `SELECT event.entity_id AS ${judgedColumn}, event.id AS ${orderColumn}, ${values} FROM ${from} JOIN ${graph.table('event')} ON event.id = properties.event_id WHERE event.entity_id IS NOT NULL`,
    ),
    ...ofEntities.map(
      ({ values, from }) =>
        `SELECT properties.entity_id AS ${judgedColumn}, -1 AS ${orderColumn}, ${values} FROM ${from}`,
    ),
  ];
}

/** The values of properties in a table. */
interface FoundValues {
  readonly isOfEvents: boolean;
  /** A list of columns. Names of properties may also be those of columns of events. */
  readonly values: string;
  /** SQL after FROM: a table with the alias `properties`. */
  readonly from: string;
}

/** Undefined for a table without any of the properties. */
function valuesIn(
  { name: table, isOfEvents, properties, types }: PropertyTable,
  columns: readonly MentionedColumn[],
  graph: JudgedGraphTables,
): FoundValues | undefined {
  const { identifiers } = graph.dialect;
  const keys = properties.map((name) => identifiers.key(name));
  if (!columns.some(({ key }) => keys.includes(key))) return undefined;
  const values = columns.map(({ name, key, type }) => {
    const index = keys.indexOf(key);
    const found = index < 0 ? 'NULL' : `properties.${identifiers.quote(properties[index] ?? name)}`;
    const value = type === undefined || types[index] === type ? found : `CAST(${found} AS ${type})`;
    return `${value} AS ${identifiers.quote(name)}`;
  });
  return { isOfEvents, values: values.join(', '), from: `${graph.table(table)} AS properties` };
}

function united(
  found: readonly FoundValues[],
  columns: readonly MentionedColumn[],
  { dialect }: JudgedGraphTables,
): FoundValues {
  const rows = found.map(({ values, from }) => `SELECT properties.event_id, ${values} FROM ${from}`);
  return {
    isOfEvents: true,
    values: columns.map(({ name }) => `properties.${dialect.identifiers.quote(name)}`).join(', '),
    from: `(\n${rows.join('\nUNION ALL\n')}\n) AS properties`,
  };
}
