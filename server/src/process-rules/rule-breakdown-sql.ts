import { quoteIdentifier } from '../query/quote.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { brokenColumn, judgedColumn, propertyValuesSql } from '../rule-kinds/property-values-sql.ts';
import { verdict } from '../rule-kinds/verdict.ts';
import { type CompleteRule, concernsSome } from './rule-sql.ts';

/** The tables of `rule-sql.ts`, from that of `createOutcomesSql`, which is made once for all of these statements. */
const verdictTables = `judged AS (SELECT DISTINCT judged, own, event, time FROM temp.rule_outcome),
  outcome AS (SELECT judged, expectation, verdict, found FROM temp.rule_outcome WHERE verdict IS NOT NULL),
  verdict AS MATERIALIZED (SELECT judged, max(verdict) AS verdict FROM outcome GROUP BY judged)`;

/**
 * The things that break a rule, a row for each expectation that they break: `own` (id of the entity), `entity_type`,
 * `key`, `event`, `expectation` (index) and `found`.
 * @param limit of judged things
 */
export function brokenBySql(limit: number): string {
  return `WITH ${verdictTables}, violation AS (
  SELECT judged FROM verdict WHERE verdict = ${verdict.broken} ORDER BY judged LIMIT ${limit}
)
SELECT judged.judged AS id, judged.own, entity.entity_type, entity.key, judged.event, outcome.expectation, max(outcome.found) AS found
FROM violation JOIN outcome ON outcome.judged = violation.judged AND outcome.verdict = ${verdict.broken}
  JOIN judged ON judged.judged = violation.judged LEFT JOIN entity ON entity.id = judged.own
GROUP BY ALL ORDER BY id, expectation`;
}

/** When a rule concerns things: rows `start` (a day, as text), `concerned` and `broken`. Entities without events are left out. */
export function daysSql(rule: CompleteRule): string {
  const times = rule.each.activity
    ? 'SELECT judged, time FROM judged'
    : 'SELECT entity_id AS judged, min(time) AS time FROM event WHERE entity_id IN (SELECT judged FROM judged) GROUP BY entity_id';
  return `WITH ${verdictTables}, begun AS (${times})
SELECT CAST(CAST(begun.time AS DATE) AS VARCHAR) AS start, count(*) AS concerned, count(*) FILTER (verdict.verdict = ${verdict.broken}) AS broken
FROM begun ${toVerdict(rule)} verdict ON verdict.judged = begun.judged GROUP BY 1 ORDER BY 1`;
}

/**
 * How strongly the values of each property are related to the violations of a rule: rows `property`, `distinct_values`
 * and `told`, the share of the violations that would have to move for all values to break it equally often (0 to 1).
 */
export function propertiesSql(rule: CompleteRule, graph: JudgedGraphTables, properties: readonly string[]): string {
  const each = properties.map(
    (name, index) =>
      `SELECT ${index} AS property, count(*) AS distinct_values, count(value) AS known_values, sum(abs(broken / (SELECT broken FROM total) - concerned / (SELECT concerned FROM total))) / 2 AS told FROM (${valueCounts(name)})`,
  );
  return `WITH ${valueTables(rule, graph, properties)}, total AS (
  SELECT count(*) AS concerned, nullif(count(*) FILTER (${brokenColumn}), 0) AS broken FROM judged_value
)
${each.join('\nUNION ALL\n')} ORDER BY property`;
}

/** How often the values of a property break a rule: rows `value` (text), `concerned`, `broken`, and `all_values`. */
export function valuesSql(rule: CompleteRule, graph: JudgedGraphTables, property: string, limit: number): string {
  return `WITH ${valueTables(rule, graph, [property])}
SELECT *, count(*) OVER () AS all_values FROM (${valueCounts(property)}) ORDER BY broken DESC, concerned DESC, value LIMIT ${limit}`;
}

/** Joins judged things with their verdicts: only those that the rule concerns. */
function toVerdict(rule: CompleteRule): string {
  return concernsSome(rule) ? 'JOIN' : 'LEFT JOIN';
}

function valueCounts(property: string): string {
  return `SELECT CAST(${quoteIdentifier(property)} AS VARCHAR) AS value, count(*) AS concerned, count(*) FILTER (${brokenColumn}) AS broken FROM judged_value GROUP BY 1`;
}

function valueTables(rule: CompleteRule, graph: JudgedGraphTables, properties: readonly string[]): string {
  const of = rule.each.activity ? 'event' : 'entity';
  const table = (name: string): string =>
    of === 'entity' && name === 'event'
      ? '(SELECT * FROM event WHERE entity_id IN (SELECT judged FROM judged)) AS event'
      : graph.table(name);
  const values = propertyValuesSql(
    { ...graph, table },
    {
      of,
      judged: 'judged',
      sql: properties.join(' '),
    },
  );
  return `${verdictTables}, judged_value AS MATERIALIZED (
  SELECT judged_property.* EXCLUDE (${judgedColumn}), coalesce(verdict.verdict = ${verdict.broken}, FALSE) AS ${brokenColumn}
  FROM (\n${values}\n) AS judged_property ${toVerdict(rule)} verdict ON verdict.judged = judged_property.${judgedColumn}
)`;
}
