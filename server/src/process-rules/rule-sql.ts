import type { ReadOnceSql } from '../dialects/standard/build-sql.ts';
import type { ClearExpectation, ProcessRule, RuleSubject } from '../model/process-rule.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { judgedSql, momentSql } from '../rule-kinds/judged-things.ts';
import { isClear, ruleKindOf } from '../rule-kinds/rule-kinds.ts';
import { verdict } from '../rule-kinds/verdict.ts';
import { onWorkingClock } from '../rule-kinds/working-time.ts';

/** A rule with a subject and expectations. */
export interface CompleteRule extends ProcessRule {
  readonly each: RuleSubject;
  readonly expect: readonly ClearExpectation[];
}

export function isComplete(rule: ProcessRule): rule is CompleteRule {
  const { each, expect } = rule;
  return (each?.entityType ?? each?.activity) !== undefined && expect.length > 0 && expect.every(isClear);
}

/**
 * The statement that judges a rule over the tables of a stored graph. Its first row has the numbers (`judged`,
 * `concerned`, which is NULL if all are, `broken`, `pending`, `undecided`); each further one a violation:
 * `entity_type`, `key`, `event` of a judged event, `expectation` (index) and `found` (events, related entities or
 * microseconds).
 * @param limit of judged things with violations
 */
export function ruleSql(rule: CompleteRule, graph: JudgedGraphTables, limit: number): string {
  const counted = (found: number): string => graph.dialect.build.countIf(`verdict = ${found}`);
  const { readOnce } = graph.dialect.build.judging;
  if (readOnce) return ruleSqlReadOnce(rule, graph, readOnce, limit);
  return `WITH ${verdictTables(rule, graph)}, violation AS (
  SELECT judged FROM verdict WHERE verdict = ${verdict.broken} ORDER BY judged LIMIT ${limit}
)
SELECT NULL AS id, (SELECT count(*) FROM judged) AS judged, ${concernsSome(rule) ? 'count(*)' : 'NULL'} AS concerned, ${counted(verdict.broken)} AS broken,
  ${counted(verdict.pending)} AS pending, ${counted(verdict.undecided)} AS undecided,
  NULL AS entity_type, NULL AS key, NULL AS event, NULL AS expectation, NULL AS found
FROM verdict
UNION ALL
SELECT judged.judged, NULL, NULL, NULL, NULL, NULL, entity.entity_type, entity.key, judged.event, outcome.expectation, max(outcome.found)
FROM violation JOIN outcome ON outcome.judged = violation.judged AND outcome.verdict = ${verdict.broken}
  JOIN judged ON judged.judged = violation.judged LEFT JOIN ${graph.table('entity')} ON entity.id = judged.own
GROUP BY judged.judged, entity.entity_type, entity.key, judged.event, outcome.expectation
ORDER BY id NULLS FIRST, expectation`;
}

/**
 * The SQL of a rule for engines that evaluate a common table expression at each reference: outcomes are referenced
 * once. The join with all entities keeps the smaller table in memory.
 */
function ruleSqlReadOnce(rule: CompleteRule, graph: JudgedGraphTables, sql: ReadOnceSql, limit: number): string {
  const counted = (found: number): string => graph.dialect.build.countIf(`verdict = ${found}`);
  const isBroken = `verdict = ${verdict.broken}`;
  const broken = rule.expect.map((_, index) => [`breaks_${index + 1}`, `found_${index + 1}`] as const);
  const outcomes = broken.map(
    ([breaks, found], index) =>
      `, max(CASE WHEN ${isBroken} AND expectation = ${index} THEN 1 ELSE 0 END) AS ${breaks}, max(CASE WHEN ${isBroken} AND expectation = ${index} THEN found END) AS ${found}`,
  );
  const thing = ['judged', 'own', 'event', ...broken.flat()];
  return `WITH ${outcomeTables(rule, graph, concernsSome(rule))}, thing AS (
  SELECT judged.judged, judged.own, judged.event, worst.verdict, ${broken.flat().join(', ')}
  FROM judged LEFT JOIN (
  SELECT judged, max(verdict) AS verdict${outcomes.join('')} FROM outcome GROUP BY judged
  ) AS worst ON worst.judged = judged.judged
), total AS (
  SELECT count(*) AS judged, ${concernsSome(rule) ? 'count(verdict)' : 'count(*)'} AS concerned, ${counted(verdict.broken)} AS broken, ${counted(verdict.pending)} AS pending, ${counted(verdict.undecided)} AS undecided,
    ${sql.least(thing, 'judged', limit, isBroken)} AS shown FROM thing
)
SELECT listed.id, listed.judged, listed.concerned, listed.broken, listed.pending, listed.undecided, entity.entity_type, entity.key, listed.event, listed.expectation, listed.found
FROM ${graph.table('entity')} RIGHT JOIN (
  SELECT shown.judged AS id, shown.own, shown.event, each.expectation, each.found, total.judged, total.concerned, total.broken, total.pending, total.undecided
  FROM total CROSS JOIN ${sql.nothingAnd('total.shown')} AS shown (${thing.join(', ')})
  CROSS JOIN ${sql.rows(broken.map(([breaks, found], index) => [String(index), `shown.${breaks}`, `shown.${found}`]))} AS each (expectation, breaks, found)
  WHERE each.breaks = 1 OR (shown.judged IS NULL AND each.expectation = 0)
) AS listed ON entity.id = listed.own
ORDER BY id NULLS FIRST, expectation`;
}

/** A SELECT of all violations of a rule, as the table `rule_violation` has them. @param number of the rule, from 1 */
export function violationsSql(rule: CompleteRule, graph: JudgedGraphTables, number: number): string {
  return `WITH ${outcomeTables(rule, graph, false)}
SELECT ${number} AS rule, judged.own AS entity_id, judged.event AS event_id, outcome.expectation + 1 AS expectation, max(outcome.found) AS found
FROM outcome JOIN judged ON judged.judged = outcome.judged WHERE outcome.verdict = ${verdict.broken}
GROUP BY judged.own, judged.event, outcome.expectation ORDER BY 1, 2, 3, 4, 5`;
}

/** Whether a rule concerns only judged things with an event that it counts from. Other rules concern all of them. */
export function concernsSome({ each, expect }: CompleteRule): boolean {
  return expect.every((expectation) => ruleKindOf(expectation).hasTrigger?.(expectation, each.activity?.value));
}

/**
 * The common table expressions of a statement that judges a rule: those of `outcomeTables`, and `verdict` (`judged`,
 * `verdict`). It has all concerned entities or events if a rule concerns some, else only those that do not keep it.
 */
export function verdictTables(rule: CompleteRule, graph: JudgedGraphTables): string {
  return `${outcomeTables(rule, graph, concernsSome(rule))}, verdict AS ${graph.dialect.build.judging.keptTable}(
  SELECT judged, max(verdict) AS verdict FROM outcome GROUP BY judged
)`;
}

/** What a rule finds, as a temporary table: `judged`, `own`, `event`, `time`, and `expectation`, `verdict` and `found` where there are any. */
export function createOutcomesSql(rule: CompleteRule, graph: JudgedGraphTables): string {
  return `CREATE OR REPLACE TEMP TABLE rule_outcome AS WITH ${outcomeTables(rule, graph, concernsSome(rule))}
SELECT judged.judged, judged.own, judged.event, judged.time, outcome.expectation, outcome.verdict, outcome.found
FROM judged LEFT JOIN outcome ON outcome.judged = judged.judged`;
}

export const dropOutcomesSql = 'DROP TABLE IF EXISTS temp.rule_outcome';

/**
 * The tables `judged` (all judged entities or events: `judged`, their entity `own`, `event` of events) and `outcome`
 * (`judged`, `expectation`, `verdict`, `found`; with kept expectations only if asked).
 */
function outcomeTables(rule: CompleteRule, graph: JudgedGraphTables, withKept: boolean): string {
  const isMeant = withKept ? '' : ` WHERE verdict <> ${verdict.kept}`;
  const { workingTime } = rule;
  const subject = {
    activity: rule.each.activity?.value,
    graph: workingTime ? onWorkingClock(graph, workingTime) : graph,
  };
  const outcomes = rule.expect.map(
    (expectation, index) =>
      `SELECT judged, ${index} AS expectation, verdict, found FROM (\n${ruleKindOf(expectation).judge(expectation, subject)}\n) AS outcome_${index + 1}${isMeant}`,
  );
  // Reading the entities of a type again is faster than materializing them.
  const isCheap = rule.each.activity === undefined && rule.each.where === undefined && graph.among === undefined;
  const { judging } = graph.dialect.build;
  const kept = judging.keptTable;
  const moment = graph.now === undefined ? `moment AS ${kept}(\n  ${momentSql(graph)}\n), ` : '';
  return `${moment}judged AS ${isCheap ? judging.inlinedTable : kept}(
${judgedSql(rule.each, graph)}
), outcome AS ${kept}(
${outcomes.join('\nUNION ALL\n')}
)`;
}
