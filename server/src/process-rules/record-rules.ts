import type { RuleResult } from '../../../protocol/process-rules.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { declaredColumns } from '../graph-schema/table-names.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import type { PlanStatement } from '../query/compiled-query.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { notJudged } from './judge-rules.ts';
import { type JudgedStore, judgedStore } from './judged-store.ts';
import { type CompleteRule, isComplete, violationsSql } from './rule-sql.ts';

/**
 * Writes the tables `rule` and `rule_violation` of an unpublished graph atomically. Resolves to the written results: a
 * rule whose SQL fails while listing violations counts as not judged. Rejects like the store.
 * @param results of the rules, in their order
 */
export async function recordRules(
  store: DuckDbSession,
  { rules, results, graph }: Omit<RuleTables, 'mistakeOf'>,
  options: StatementOptions,
): Promise<readonly RuleResult[]> {
  const { mistakeOf } = judgedStore(store);
  let written = results;
  for (;;) {
    await store.run(beginSql, options);
    try {
      const tables = { rules, results: written, graph, mistakeOf };
      const recorded = await writeRuleTables(tables, (sql) => store.run(sql, options));
      // A failed statement ends the transaction: the tables are written again without this rule.
      if (recorded === written) {
        await store.run(commitSql, options);
        break;
      }
      written = recorded;
      await store.run('ROLLBACK');
    } catch (error) {
      await store.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }
  await store.run(checkpointSql, options);
  return written;
}

const [beginSql, commitSql] = ['BEGIN TRANSACTION', 'COMMIT'] as const;
/** Moves everything into the file itself, which alone is published. */
export const checkpointSql = 'CHECKPOINT';

/** The statements of `recordRules` around those that write the tables. */
export const recordingStatements: {
  readonly before: readonly PlanStatement[];
  readonly after: readonly PlanStatement[];
} = {
  before: [{ title: 'Both tables or none', sql: beginSql }],
  after: [
    { title: 'All at once; if a statement fails, ROLLBACK and again without its rule', sql: commitSql },
    { title: 'Only the file itself is published', sql: checkpointSql },
  ],
};

interface RuleTables {
  readonly rules: readonly ProcessRule[];
  readonly results: readonly RuleResult[];
  readonly graph: JudgedGraphTables;
  readonly mistakeOf: JudgedStore['mistakeOf'];
}

/**
 * Creates and fills the tables of rules. Resolves to their results. Stops at a failed statement, unless the tables stay
 * usable.
 * @param run rejects for a statement that fails
 * @param survives whether a failed statement leaves everything before it
 */
export async function writeRuleTables(
  { rules, results, graph, mistakeOf }: RuleTables,
  run: (sql: string) => Promise<unknown>,
  survives = false,
): Promise<readonly RuleResult[]> {
  const sql = ruleTablesSql(graph);
  let recorded = results;
  await run(sql.createViolations);
  for (const [index, rule] of rules.entries()) {
    const result = results[index];
    // Rules without violations are not judged a second time.
    if (!isComplete(rule) || !result || result.broken === 0) continue;
    try {
      await run(sql.insertViolations(rule, index + 1));
    } catch (error) {
      const mistake = mistakeOf(error);
      if (!mistake) throw error;
      const failed = notJudged(rule, result.sql, `Listing what breaks it: ${mistake.message}`);
      recorded = recorded.with(index, failed);
      if (!survives) return recorded;
    }
  }
  const rows = recorded.map((result, index) => `(${rowOf(result, index, graph.dialect).join(', ')})`).join(', ');
  await run(sql.createRules);
  await run(sql.insertRules(rows));
  return recorded;
}

/** The statements that create and fill the tables of rules. */
export function ruleTablesSql(graph: JudgedGraphTables): RuleTablesSql {
  const [violation, rule] = [graph.table('rule_violation'), graph.table('rule')];
  return {
    createViolations: `CREATE TABLE ${violation} (${declaredColumns('rule_violation')})`,
    insertViolations: (broken, number) => `INSERT INTO ${violation} ${violationsSql(broken, graph, number)}`,
    createRules: `CREATE TABLE ${rule} (${declaredColumns('rule')})`,
    insertRules: (rows) => `INSERT INTO ${rule} VALUES ${rows}`,
  };
}

interface RuleTablesSql {
  readonly createViolations: string;
  /** @param number of the rule, from 1 */
  insertViolations(broken: CompleteRule, number: number): string;
  readonly createRules: string;
  insertRules(rows: string): string;
}

function rowOf(
  { name, severity, atLeast, error, holds, ...result }: RuleResult,
  index: number,
  { literals }: Dialect,
): readonly string[] {
  const { judged, concerned, kept, broken, pending, undecided } = result;
  const numbers = [judged, concerned, kept, broken, pending, undecided];
  const text = (value: string | undefined): string =>
    value === undefined ? 'NULL' : literals.quote(value.replaceAll('\0', ''));
  return [index + 1, text(name), text(severity), atLeast, ...numbers, holds, text(error)].map(String);
}
