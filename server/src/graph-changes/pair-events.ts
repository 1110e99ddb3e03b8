import { codedEventsTable, storageSchema } from '../graph-schema/storage-tables.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import { type ComparedTable, comparedValue } from './compared-schema.ts';

/** A statement that makes one temporary table of the comparison. */
export type CreateTable = `CREATE TEMP TABLE ${string}`;

export type Side = 'before' | 'after';
export const sides: readonly Side[] = ['before', 'after'];

/**
 * Entities of both graphs, by type and key: `number`, `entity_type`, `key`, `before_id`, `after_id`, and `who`, a number
 * of the key alone.
 */
export const entityPairsSql: CreateTable = `CREATE TEMP TABLE entity_pair AS
  WITH pair AS MATERIALIZED (
    SELECT row_number() OVER () AS number, entity_type, key, b.id AS before_id, a.id AS after_id
    FROM before.entity AS b FULL JOIN after.entity AS a USING (entity_type, key)
  ), keys AS (SELECT key, row_number() OVER () AS who FROM (SELECT DISTINCT key FROM pair))
  SELECT pair.*, keys.who FROM pair JOIN keys ON keys.key = pair.key`;

/**
 * Pairs the events of both graphs (docs/semantics.md#201-which-is-which), after `entity_pair`: makes `event_kind` with the
 * names of elements, activities and lifecycles, and a number of each activity; `event_before` and `event_after`; and
 * `event_pair` with `number`, `kind`, `before_id`, `after_id`, of which one is NULL for a new event or one that is gone,
 * and the `round` that paired them.
 */
export async function pairEvents(
  both: DuckDbSession,
  elements: readonly ComparedTable[],
  options: StatementOptions,
): Promise<void> {
  const sources = { before: await namedEventsSql(both, 'before'), after: await namedEventsSql(both, 'after') };
  await both.run(eventKindsSql(sources), options);
  for (const side of sides) await both.run(comparedEventsSql(side, sources[side], elements), options);
  await both.run(looksSql, options);
  await both.run(pairAlikeSql, options);
  for (const side of sides) await both.run(restSql(side), options);
  const paired = ['pair_round_0'];
  for (const [index, { equal, order }] of laterRounds.entries()) {
    const [rest] = await both.query(restsSql, options);
    // Events of one graph only have no partners.
    if (rest?.['before'] !== true || rest['after'] !== true) break;
    const name = `pair_round_${index + 1}`;
    const { identity, join } = pairing([...equal]);
    await both.run(
      `CREATE TEMP TABLE ${name} AS ${placedPairsSql(identity, join, order, (side) => `SEMI JOIN rest_${side} AS rest USING (id)`)}`,
      options,
    );
    for (const side of sides)
      await both.run(`DELETE FROM rest_${side} WHERE id IN (SELECT ${side}_id FROM ${name})`, options);
    paired.push(name);
  }
  await both.run(eventPairsSql(paired), options);
}

/** Events were paired in this round by an equal identity, time and values, so that they differ in nothing. */
export const alikeRound = 0;

/** From this round on, the times of paired events may differ. */
export const movedRound = 2;

/** What identifies an event but its time and its values. */
const whose = ['kind', 'who', 'named'];

/** Each round pairs what the rounds before have left. */
const laterRounds: readonly { readonly equal: readonly string[]; readonly order: string }[] = [
  { equal: [...whose, 'time'], order: 'id' },
  { equal: whose, order: 'time, id' },
];

/** The events of a graph with codes of their names, which are read faster, where it has them. */
async function namedEventsSql(both: DuckDbSession, side: Side): Promise<string> {
  const coded = `${side}.${storageSchema}.${codedEventsTable}`;
  const tables = await both.query(
    `SELECT column_name AS name FROM duckdb_columns() WHERE database_name = '${side}' AND schema_name = '${storageSchema}' AND table_name = '${codedEventsTable}'`,
  );
  const columns = new Set(tables.map(({ name }) => String(name)));
  const activity = columns.has('other_activity')
    ? 'coalesce(CAST(activity AS VARCHAR), other_activity) AS activity'
    : columns.has('activity')
      ? 'activity'
      : 'element AS activity';
  return columns.size === 0
    ? `SELECT id, element, activity, lifecycle, time, entity_id FROM ${side}.event`
    : `SELECT id, element, ${activity}, lifecycle, time, entity_id FROM ${coded}`;
}

const nameColumns = ['element', 'activity', 'lifecycle'];

function eventKindsSql(events: Readonly<Record<Side, string>>): CreateTable {
  const names = (side: Side): string =>
    `SELECT ${nameColumns.map((name) => `CAST(${name} AS VARCHAR) AS ${name}`).join(', ')}
     FROM (SELECT DISTINCT ${nameColumns.join(', ')} FROM (${events[side]}))`;
  return `CREATE TEMP TABLE event_kind AS SELECT CAST(row_number() OVER () AS INTEGER) AS kind, *,
      CAST(dense_rank() OVER (ORDER BY activity) AS INTEGER) AS activity_number
    FROM (${sides.map(names).join(' UNION ')})`;
}

/**
 * The events of one graph with what identifies them, all of it numbers but for `named`: an event without an entity of its
 * own is identified by the entities that its row names. The fingerprint is of the values of the properties that both
 * graphs have, and `look` of all that is compared.
 */
function comparedEventsSql(side: Side, events: string, elements: readonly ComparedTable[]): CreateTable {
  const fingerprints = elements.flatMap((element) => {
    const table = element[side];
    if (table === undefined || element.properties.length === 0) return [];
    const values = element.properties.map((property) => comparedValue('p', property));
    return [`SELECT event_id, hash(${values.join(', ')}) AS fingerprint FROM ${side}.${table} AS p`];
  });
  const known =
    fingerprints.length > 0
      ? fingerprints.join(' UNION ALL ')
      : 'SELECT NULL::BIGINT AS event_id, 0::UBIGINT AS fingerprint WHERE false';
  const isKind = nameColumns.map((name) => `kinds.${name} = e.${name}`).join(' AND ');
  return `CREATE TEMP TABLE event_${side} AS
    SELECT *, hash(kind, who, named, time, fingerprint) AS look FROM (
      SELECT e.id, kinds.kind, coalesce(own.who, 0) AS who, own.number AS entity, e.time,
        coalesce(named.entities, '') AS named, coalesce(prints.fingerprint, 0) AS fingerprint
      FROM (${events}) AS e
      JOIN (
        SELECT event_kind.kind, found.* FROM (SELECT DISTINCT ${nameColumns.join(', ')} FROM (${events})) AS found
        JOIN event_kind ON ${nameColumns.map((name) => `event_kind.${name} = CAST(found.${name} AS VARCHAR)`).join(' AND ')}
      ) AS kinds ON ${isKind}
      LEFT JOIN entity_pair AS own ON own.${side}_id = e.entity_id
      LEFT JOIN (
        SELECT c.event_id, string_agg(CAST(to_json([c.qualifier, n.entity_type, n.key]) AS VARCHAR), ',' ORDER BY c.qualifier, n.entity_type, n.key) AS entities
        FROM ${side}.event_entity AS c JOIN ${side}.entity AS n ON n.id = c.entity_id
        SEMI JOIN (SELECT id FROM (${events}) WHERE entity_id IS NULL) AS without ON without.id = c.event_id
        WHERE c.qualifier <> 'self'
        GROUP BY c.event_id
      ) AS named ON named.event_id = e.id
      LEFT JOIN (${known}) AS prints ON prints.event_id = e.id)`;
}

/** How many events of each graph look alike, and one of each. */
const looksSql: CreateTable = `CREATE TEMP TABLE alike AS
  SELECT look, any_value(kind) AS kind, count(before_id) AS before, count(after_id) AS after, any_value(before_id) AS before_id, any_value(after_id) AS after_id
  FROM (SELECT look, kind, id AS before_id, NULL AS after_id FROM event_before UNION ALL SELECT look, kind, NULL, id FROM event_after)
  GROUP BY look`;

/** The first round: equal in all that is compared. Only of several that look alike the places among these matter. */
const pairAlikeSql: CreateTable = `CREATE TEMP TABLE pair_round_0 AS
  SELECT kind, before_id, after_id FROM alike WHERE before = 1 AND after = 1
  UNION ALL ${placedPairsSql('kind, look', 'a.look = b.look', 'id', () => 'SEMI JOIN (FROM alike WHERE before > 0 AND after > 0 AND before + after > 2) AS several USING (look)')}`;

function pairing(columns: readonly string[]): { readonly identity: string; readonly join: string } {
  return { identity: columns.join(', '), join: columns.map((name) => `a.${name} = b.${name}`).join(' AND ') };
}

/** Pairs the k-th event of each identity with the k-th. @param where which events of a graph, as a clause */
function placedPairsSql(identity: string, join: string, order: string, where: (side: Side) => string): string {
  const placed = (side: Side): string =>
    `SELECT id, ${identity}, row_number() OVER (PARTITION BY ${identity} ORDER BY ${order}) AS place FROM event_${side} ${where(side)}`;
  return `SELECT b.kind, b.id AS before_id, a.id AS after_id
    FROM (${placed('before')}) AS b JOIN (${placed('after')}) AS a ON ${join} AND a.place = b.place`;
}

/** What the first round leaves: events that look like none of the other graph, or like fewer. */
function restSql(side: Side): CreateTable {
  const other = side === 'before' ? 'after' : 'before';
  return `CREATE TEMP TABLE rest_${side} AS
    SELECT ${side}_id AS id, kind FROM alike WHERE ${side} = 1 AND ${other} = 0
    UNION ALL SELECT id, kind FROM event_${side} AS e SEMI JOIN (FROM alike WHERE ${side} > ${other} AND ${side} > 1) AS more USING (look)
      ANTI JOIN pair_round_0 AS paired ON paired.${side}_id = e.id`;
}

const restsSql = `SELECT ${sides.map((side) => `EXISTS (FROM rest_${side}) AS ${side}`).join(', ')}`;

function eventPairsSql(rounds: readonly string[]): CreateTable {
  return `CREATE TEMP TABLE event_pair AS
    SELECT row_number() OVER () AS number, kind, before_id, after_id, round FROM (
      ${rounds.map((name, round) => `SELECT kind, before_id, after_id, ${round} AS round FROM ${name}`).join(' UNION ALL ')}
      UNION ALL SELECT kind, id, NULL, NULL FROM rest_before
      UNION ALL SELECT kind, NULL, id, NULL FROM rest_after)`;
}
