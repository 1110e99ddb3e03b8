import type { RuleResult } from '../../../protocol/process-rules.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { declaredColumns } from '../graph-schema/table-names.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import { type JudgedGraphTables, judgedGraphTables } from './judged-graph-tables.ts';
import { isComplete, violationsSql } from './rule-sql.ts';

/**
 * Writes the tables `rule` and `rule_violation` of a graph that is not published yet: all of it, or nothing. Rejects as
 * the store does.
 * @param results of the rules, in their order
 */
export async function recordRules(
  store: DuckDbSession,
  rules: readonly ProcessRule[],
  results: readonly RuleResult[],
  options: StatementOptions,
): Promise<void> {
  const graph = await judgedGraphTables(store, options);
  await store.run('BEGIN TRANSACTION', options);
  try {
    for (const sql of ruleTablesSql(rules, results, graph)) await store.run(sql, options);
    await store.run('COMMIT', options);
  } catch (error) {
    await store.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
  // Only the file itself is published.
  await store.run('CHECKPOINT', options);
}

/** The statements that create and fill these tables. */
export function ruleTablesSql(
  rules: readonly ProcessRule[],
  results: readonly RuleResult[],
  graph: JudgedGraphTables,
): readonly string[] {
  const { table, dialect } = graph;
  const rows = results.map((result, index) => `(${rowOf(result, index, dialect).join(', ')})`).join(', ');
  const broken = rules.flatMap((rule, index) =>
    // Most rules are kept: nothing is judged a second time for them.
    isComplete(rule) && (results[index]?.broken ?? 0) > 0
      ? [`INSERT INTO ${table('rule_violation')} ${violationsSql(rule, graph, index + 1)}`]
      : [],
  );
  return [
    `CREATE TABLE ${table('rule')} (${declaredColumns('rule')})`,
    `INSERT INTO ${table('rule')} VALUES ${rows}`,
    `CREATE TABLE ${table('rule_violation')} (${declaredColumns('rule_violation')})`,
    ...broken,
  ];
}

function rowOf(
  { name, severity, atLeast, error, holds, ...numbers }: RuleResult,
  index: number,
  { literals }: Dialect,
): readonly string[] {
  const { judged, broken, pending, undecided } = numbers;
  const text = (value: string | undefined): string =>
    value === undefined ? 'NULL' : literals.quote(value.replaceAll('\0', ''));
  return [index + 1, text(name), text(severity), atLeast, judged, broken, pending, undecided, holds, text(error)].map(
    String,
  );
}
