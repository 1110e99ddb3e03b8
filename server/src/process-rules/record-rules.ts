import type { RuleResult } from '../../../protocol/process-rules.ts';
import { duckdb } from '../dialects/duckdb.ts';
import { declaredColumns } from '../graph-schema/table-names.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import { judgedGraphTables } from './judged-graph-tables.ts';
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
    await store.run(`CREATE TABLE rule (${declaredColumns('rule')})`, options);
    await store.run(`INSERT INTO rule VALUES ${results.map(rowOf).join(', ')}`, options);
    await store.run(`CREATE TABLE rule_violation (${declaredColumns('rule_violation')})`, options);
    for (const [index, rule] of rules.entries()) {
      // Most rules are kept: nothing is judged a second time for them.
      if (!isComplete(rule) || (results[index]?.broken ?? 0) === 0) continue;
      await store.run(`INSERT INTO rule_violation ${violationsSql(rule, graph, index + 1)}`, options);
    }
    await store.run('COMMIT', options);
  } catch (error) {
    await store.run('ROLLBACK').catch(() => undefined);
    throw error;
  }
  // Only the file itself is published.
  await store.run('CHECKPOINT', options);
}

function rowOf({ name, severity, atLeast, error, holds, ...numbers }: RuleResult, index: number): string {
  const { judged, broken, pending, undecided } = numbers;
  const text = (value: string | undefined): string => (value === undefined ? 'NULL' : duckdb.literals.quote(value));
  const values = [index + 1, text(name), text(severity), atLeast, judged, broken, pending, undecided, holds];
  return `(${values.join(', ')}, ${text(error)})`;
}
