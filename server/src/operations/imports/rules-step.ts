import { defaultViolations } from '../../../../protocol/rule-outcome.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import type { BuildSource } from '../../import/build/build-source.ts';
import { type StatementsStep, runValue } from '../../import/build/plan-statement.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { judgedRule, ruleName } from '../../process-rules/judge-rules.ts';
import { atMoment, momentTextSql, sourceTables, storeTables } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
import { recordingStatements, ruleTablesSql } from '../../process-rules/record-rules.ts';
import { ruleSql } from '../../process-rules/rule-sql.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import { openingStatements } from '../stored-graphs/open-graph-store.ts';
import { builtGraphTables } from './built-graph-tables.ts';

/** Name of the step in plans and reports. */
export const rulesStepName = 'rules';

/** Judging a graph before it is published in its source, for a plan; empty without rules. */
export function sourceRulesSteps(
  rules: readonly ProcessRule[],
  source: BuildSource,
  { side, attempting }: Pick<SourceBuild, 'side' | 'attempting'>,
): readonly StatementsStep[] {
  const graph = builtGraphTables(source, sourceTables(source.dialect, side));
  return rulesSteps(rules, graph, attempting);
}

/** Judging a store before it is published, for a plan; empty without rules. */
export function storeRulesSteps(rules: readonly ProcessRule[], source: BuildSource): readonly StatementsStep[] {
  return rulesSteps(rules, builtGraphTables(source, storeTables), storeOpening(source), recordingStatements);
}

/** Opening a store whose names are read as codes. */
export function storeOpening(source: BuildSource): readonly PlanStatement[] {
  const hasActivities = source.elements.some(({ activity }) => activity !== undefined);
  return openingStatements((view) => {
    if (view === 'relation' && source.relationships.length === 0) return undefined;
    return new Set(view === 'event' && hasActivities ? ['activity', 'other_activity'] : []);
  });
}

/**
 * The statements that judge a graph and record the results, for a plan.
 * @param opening statements before all of them
 * @param recording statements around those that record the results
 */
function rulesSteps(
  rules: readonly ProcessRule[],
  graph: JudgedGraphTables,
  opening: readonly PlanStatement[],
  recording: typeof recordingStatements = { before: [], after: [] },
): readonly StatementsStep[] {
  if (rules.length === 0) return [];
  const momentSql = momentTextSql(graph);
  const judged = momentSql === undefined ? graph : atMoment(graph, runValue);
  const tables = ruleTablesSql(judged);
  const complete = rules.flatMap((rule) => {
    const found = judgedRule(rule, judged);
    return typeof found === 'string' ? [] : [found];
  });
  const statements: readonly PlanStatement[] = [
    ...opening,
    ...(momentSql === undefined
      ? []
      : [{ title: 'Now: the time of the last event, or of the import', sql: momentSql }]),
    ...complete.map((rule) => ({ title: ruleName(rule), sql: ruleSql(rule, judged, defaultViolations) })),
    ...recording.before,
    { title: 'The violations of rules', sql: tables.createViolations },
    ...complete.map((rule) => ({
      title: `If it is broken: ${ruleName(rule)}`,
      sql: tables.insertViolations(rule, rule.index + 1),
    })),
    { title: 'The results of rules', sql: tables.createRules },
    { title: 'With the numbers found', sql: tables.insertRules(runValue) },
    ...recording.after,
  ];
  return [{ name: rulesStepName, title: 'Judging the rules', statements }];
}
