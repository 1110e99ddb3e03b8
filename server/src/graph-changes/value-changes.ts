import { embeddedLiteral } from '../query/quote.ts';
import { type ComparedProperty, type ComparedTable, comparedValue } from './compared-schema.ts';
import { type CreateTable, type Side, alikeRound } from './pair-events.ts';

/** Which values differ between rows that are the same in both graphs: `name` and `kind`, then what rows show. */
const valueColumns =
  'name VARCHAR, kind VARCHAR, entity_type VARCHAR, key VARCHAR, time TIMESTAMP, before VARCHAR, after VARCHAR';

export const createValueChangesSql: CreateTable = `CREATE TEMP TABLE value_change (${valueColumns}, event BIGINT)`;

/** Adds the changed properties of the events of an element to `value_change`. */
export function eventValuesSql(element: ComparedTable): string | undefined {
  const { name, before, after, properties } = element;
  if (before === undefined || after === undefined || properties.length === 0) return undefined;
  const rows = `SELECT own.entity_type, coalesce(own.key, e.named) AS key, e.time, pair.number AS event, ${bothValues(properties)}
    FROM (FROM event_pair WHERE round > ${alikeRound}) AS pair JOIN event_before AS e ON e.id = pair.before_id
    LEFT JOIN entity_pair AS own ON own.number = e.entity
    JOIN before.${before} AS b ON b.event_id = pair.before_id JOIN after.${after} AS a ON a.event_id = pair.after_id`;
  return `INSERT INTO value_change ${differingSql(name, properties, rows)}`;
}

/** The tables of the entries of `entities`, of which `entity_values_<n>` has several rows of an entity. */
type EntryTableKind = 'entry' | 'version';

export function createEntryChangesSql(kind: EntryTableKind): CreateTable {
  return `CREATE TEMP TABLE ${kind}_change (name VARCHAR, kind VARCHAR, entity_type VARCHAR, key VARCHAR, time TIMESTAMP)`;
}

/** Adds the rows of an entry that differ to `entry_change` or `version_change`, and their values to `value_change`. */
export function entryStatements(kind: EntryTableKind, entry: ComparedTable): readonly string[] {
  const { name, before, after, properties } = entry;
  const differ = properties.map((_, index) => `b.v${index} IS DISTINCT FROM a.v${index}`);
  const isChanged = differ.length === 0 ? 'false' : differ.join(' OR ');
  const rows = (side: Side): string => entryRowsSql(kind, side, entry);
  const change = `CASE WHEN b.is_there IS NULL THEN 'new' WHEN a.is_there IS NULL THEN 'gone' WHEN ${isChanged} THEN 'changed' END`;
  const both = `(${rows('before')}) AS b FULL JOIN (${rows('after')}) AS a
    ON a.entity_type = b.entity_type AND a.key = b.key AND a.time IS NOT DISTINCT FROM b.time AND a.place = b.place`;
  const changes = `INSERT INTO ${kind}_change SELECT * FROM (
    SELECT ${embeddedLiteral(name)}, ${change} AS kind, coalesce(a.entity_type, b.entity_type), coalesce(a.key, b.key), coalesce(a.time, b.time)
    FROM ${both}) WHERE kind IS NOT NULL`;
  if (before === undefined || after === undefined || properties.length === 0) return [changes];
  const values = properties.map((_, index) => `b.v${index} AS b${index}, a.v${index} AS a${index}`).join(', ');
  const same = `SELECT b.entity_type, b.key, b.time, NULL AS event, ${values} FROM ${both.replace('FULL JOIN', 'JOIN')}`;
  return [changes, `INSERT INTO value_change ${differingSql(name, properties, same)}`];
}

/** Rows of one entry of a graph, none where the graph does not have it; those of equal times are in their order. */
function entryRowsSql(kind: EntryTableKind, side: Side, entry: ComparedTable): string {
  const table = entry[side];
  const values = entry.properties.map((property, index) =>
    table === undefined ? `NULL AS v${index}` : `${comparedValue('p', property)} AS v${index}`,
  );
  const [time, place] =
    kind === 'entry'
      ? ['CAST(NULL AS TIMESTAMP)', '1']
      : ['p.value_time', 'row_number() OVER (PARTITION BY p.entity_id, p.value_time ORDER BY p.value_rank)'];
  const columns = ['true AS is_there', 'e.entity_type', 'e.key'];
  if (table === undefined) {
    const none = [...columns, 'CAST(NULL AS TIMESTAMP) AS time', '1 AS place', ...values];
    return `SELECT ${none.join(', ')} FROM ${side}.entity AS e WHERE false`;
  }
  return `SELECT ${[...columns, `${time} AS time`, `${place} AS place`, ...values].join(', ')}
    FROM ${side}.${table} AS p JOIN ${side}.entity AS e ON e.id = p.entity_id`;
}

/** A row for each property that differs. @param rows a query with `b<n>` and `a<n>` for the n-th property */
function differingSql(name: string, properties: readonly ComparedProperty[], rows: string): string {
  const changes = properties.map(
    (property, index) =>
      `CASE WHEN b${index} IS DISTINCT FROM a${index} THEN {name: ${embeddedLiteral(`${name}.${property.name}`)}, before: CAST(b${index} AS VARCHAR), after: CAST(a${index} AS VARCHAR)} END`,
  );
  return `SELECT change.name, 'changed', entity_type, key, time, change.before, change.after, event
    FROM (SELECT entity_type, key, time, event, unnest([${changes.join(', ')}]) AS change FROM (${rows}))
    WHERE change IS NOT NULL`;
}

function bothValues(properties: readonly ComparedProperty[]): string {
  return properties
    .map(
      (property, index) => `${comparedValue('b', property)} AS b${index}, ${comparedValue('a', property)} AS a${index}`,
    )
    .join(', ');
}
