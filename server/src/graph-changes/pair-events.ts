import { type ComparedTable, comparedValue } from './compared-schema.ts';

/** A statement that makes one temporary table of the comparison. */
export type CreateTable = `CREATE TEMP TABLE ${string}`;

export type Side = 'before' | 'after';
export const sides: readonly Side[] = ['before', 'after'];

/** Entities of both graphs, by type and key: `number`, `entity_type`, `key`, `before_id`, `after_id`. */
export const entityPairsSql: CreateTable = `CREATE TEMP TABLE entity_pair AS
  SELECT row_number() OVER () AS number, entity_type, key, b.id AS before_id, a.id AS after_id
  FROM before.entity AS b FULL JOIN after.entity AS a USING (entity_type, key)`;

/**
 * Events of both graphs (docs/semantics.md#201-which-is-which): `event_pair` with `number`, `before_id`, `after_id`, of
 * which one is NULL for a new event or one that is gone, and `same_values`.
 */
export function eventPairStatements(elements: readonly ComparedTable[]): readonly CreateTable[] {
  const rounds = pairingRounds.map(({ equal, order }, index): CreateTable => {
    const earlier = Array.from({ length: index }, (_, round) => `pair_round_${round}`);
    const rest = (side: Side): string =>
      `SELECT id, ${equal.join(', ')}, row_number() OVER (PARTITION BY ${equal.join(', ')} ORDER BY ${order}) AS place
       FROM event_${side} AS e ${earlier.map((round) => `ANTI JOIN ${round} ON ${round}.${side}_id = e.id`).join(' ')}`;
    return `CREATE TEMP TABLE pair_round_${index} AS SELECT b.id AS before_id, a.id AS after_id
      FROM (${rest('before')}) AS b JOIN (${rest('after')}) AS a USING (${equal.join(', ')}, place)`;
  });
  return [...sides.map((side) => comparedEventsSql(side, elements)), ...rounds, eventPairsSql];
}

const identity = ['element', 'has_own', 'key', 'activity', 'lifecycle'];

/** Each round pairs what the rounds before have left. */
const pairingRounds: readonly { readonly equal: readonly string[]; readonly order: string }[] = [
  { equal: [...identity, 'time', 'fingerprint'], order: 'id' },
  { equal: [...identity, 'time'], order: 'id' },
  { equal: identity, order: 'time, id' },
];

const eventPairsSql: CreateTable = `CREATE TEMP TABLE event_pair AS
  WITH paired AS (${pairingRounds.map((_, round) => `SELECT before_id, after_id, ${round === 0} AS same_values FROM pair_round_${round}`).join(' UNION ALL ')})
  SELECT row_number() OVER () AS number, before_id, after_id, same_values FROM (
    SELECT * FROM paired
    UNION ALL SELECT id, NULL, false FROM event_before AS e ANTI JOIN paired ON paired.before_id = e.id
    UNION ALL SELECT NULL, id, false FROM event_after AS e ANTI JOIN paired ON paired.after_id = e.id)`;

/**
 * The events of one graph with what identifies them. An event without an entity of its own is identified by the entities
 * that its row names. The fingerprint is of the values of the properties that both graphs have.
 */
function comparedEventsSql(side: Side, elements: readonly ComparedTable[]): CreateTable {
  const fingerprints = elements.flatMap((element) => {
    const table = element[side];
    if (table === undefined || element.properties.length === 0) return [];
    const values = element.properties.map((property) => comparedValue('p', property));
    return [`SELECT event_id, hash(${values.join(', ')}) AS fingerprint FROM ${side}.${table} AS p`];
  });
  const known =
    fingerprints.length > 0 ? fingerprints.join(' UNION ALL ') : 'SELECT NULL AS event_id, 0 AS fingerprint';
  return `CREATE TEMP TABLE event_${side} AS
    SELECT e.id, e.element, e.activity, e.lifecycle, e.time, own.id IS NOT NULL AS has_own, own.entity_type,
      coalesce(own.key, named.entities, '') AS key, coalesce(prints.fingerprint, 0) AS fingerprint
    FROM ${side}.event AS e
    LEFT JOIN ${side}.entity AS own ON own.id = e.entity_id
    LEFT JOIN (
      SELECT c.event_id, string_agg(CAST(to_json([c.qualifier, n.entity_type, n.key]) AS VARCHAR), ',' ORDER BY c.qualifier, n.entity_type, n.key) AS entities
      FROM ${side}.event_entity AS c JOIN ${side}.entity AS n ON n.id = c.entity_id
      SEMI JOIN (SELECT id FROM ${side}.event WHERE entity_id IS NULL) AS without ON without.id = c.event_id
      GROUP BY c.event_id
    ) AS named ON named.event_id = e.id
    LEFT JOIN (${known}) AS prints ON prints.event_id = e.id`;
}
