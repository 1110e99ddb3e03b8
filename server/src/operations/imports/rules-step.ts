import { defaultViolations } from '../../../../protocol/rule-outcome.ts';
import { type StatementsStep, runValue } from '../../import/build/plan-statement.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { judgedRule, ruleName } from '../../process-rules/judge-rules.ts';
import { type JudgedGraphTables, atMoment, momentTextSql } from '../../process-rules/judged-graph-tables.ts';
import { ruleTablesSql } from '../../process-rules/record-rules.ts';
import { ruleSql } from '../../process-rules/rule-sql.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';

/** Name of the step in plans and reports. */
export const rulesStepName = 'rules';

/**
 * The statements that judge a graph and record the results, for a plan.
 * @param around statements that run around each of them
 */
export function rulesStep(
  rules: readonly ProcessRule[],
  graph: JudgedGraphTables,
  around: readonly PlanStatement[],
): StatementsStep {
  const momentSql = momentTextSql(graph);
  const judged = momentSql === undefined ? graph : atMoment(graph, runValue);
  const tables = ruleTablesSql(judged);
  const complete = rules.flatMap((rule) => {
    const found = judgedRule(rule, judged);
    return typeof found === 'string' ? [] : [found];
  });
  const statements: readonly PlanStatement[] = [
    ...around,
    ...(momentSql === undefined
      ? []
      : [{ title: 'Now: the time of the last event, or of the import', sql: momentSql }]),
    ...complete.map((rule) => ({ title: ruleName(rule), sql: ruleSql(rule, judged, defaultViolations) })),
    { title: 'The violations of rules', sql: tables.createViolations },
    ...complete.map((rule) => ({
      title: `If it is broken: ${ruleName(rule)}`,
      sql: tables.insertViolations(rule, rule.index + 1),
    })),
    { title: 'The results of rules', sql: tables.createRules },
    { title: 'With the numbers found', sql: tables.insertRules(runValue) },
  ];
  return { name: rulesStepName, title: 'Judging the rules', statements };
}
