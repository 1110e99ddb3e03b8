import { duckdb } from '../dialects/duckdb.ts';
import type { RuleResult, RuleViolation } from '../../../protocol/process-rules.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import { containmentProblems } from '../query/check-sql.ts';
import { DuckDbError, type StatementOptions, type StoreReader } from '../store/duckdb-store.ts';
import { type JudgedGraphTables, judgedGraphTables } from './judged-graph-tables.ts';
import { defaultViolations } from '../../../protocol/rule-outcome.ts';
import { brokenBy } from './broken-by.ts';
import { isComplete, ruleSql } from './rule-sql.ts';

/** Judges a stored graph by rules, one after the other. Rejects only when the store cannot be read, or with the reason of the signal. */
export async function judgeRules(
  rules: readonly ProcessRule[],
  store: StoreReader,
  { limit = defaultViolations, ...options }: StatementOptions & { readonly limit?: number },
): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  const graph = await judgedGraphTables(store, options);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    options.signal?.throwIfAborted();
    results.push(await judge(rule, graph, store, limit, options));
  }
  return results;
}

async function judge(
  rule: ProcessRule,
  graph: JudgedGraphTables,
  store: StoreReader,
  limit: number,
  options: StatementOptions,
): Promise<RuleResult> {
  const mistake = mistakeOf(rule);
  if (mistake !== undefined || !isComplete(rule))
    return notJudged(rule, '', mistake ?? 'It does not say what it judges.');
  const sql = ruleSql(rule, graph, limit);
  try {
    const [numbers, ...violations] = await store.query(sql, options);
    return resultOf(rule, sql, numbers ?? {}, violations);
  } catch (error) {
    if (!(error instanceof DuckDbError) || !ofTheSql.includes(error.failure.kind)) throw error;
    return notJudged(rule, sql, reasonOf(error.failure, graph));
  }
}

/** Failures that the SQL of a rule can cause; others are of the store. */
const ofTheSql: readonly string[] = ['column-missing', 'table-missing', 'type-mismatch', 'syntax', 'other'];

function reasonOf({ kind, name, message }: DuckDbError['failure'], { properties: tables }: JudgedGraphTables): string {
  if (kind !== 'column-missing' || name === undefined) return message;
  const known = new Set(tables.flatMap(({ properties }) => properties));
  const nearest = didYouMean(nearestNames(name, known));
  return `The graph has no property "${name}". ${nearest ?? 'Add it to the properties of an element, and import again.'}`;
}

/** SQL that would leave its place is not run. */
function mistakeOf({ each, expect }: ProcessRule): string | undefined {
  const sql = [each?.where, ...expect.map((expectation) => expectation.sql)];
  return sql.flatMap((text) => containmentProblems(text, duckdb.name))[0]?.message;
}

function resultOf(
  rule: ProcessRule,
  sql: string,
  numbers: Readonly<Record<string, unknown>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): RuleResult {
  const [judged, broken, pending, undecided] = ['judged', 'broken', 'pending', 'undecided'].map((name) =>
    Number(numbers[name]),
  ) as [number, number, number, number];
  const kept = judged - broken - pending - undecided;
  const atLeast = rule.atLeast?.value ?? 1;
  const decided = kept + broken;
  return {
    ...described(rule),
    ...{ judged, broken, pending, undecided },
    share: decided === 0 ? null : kept / decided,
    // A percentage has no exact binary fraction: 95 % of 20 are 19.
    holds: decided === 0 ? pending > 0 : kept >= atLeast * decided - 1e-9,
    sql,
    violations: violationsOf(rule, rows),
  };
}

function violationsOf(rule: ProcessRule, rows: readonly Readonly<Record<string, unknown>>[]): readonly RuleViolation[] {
  return brokenBy(rule, rows, (row) => ({
    entity: row['key'] === null ? null : { type: String(row['entity_type']), key: String(row['key']) },
    ...(row['event'] === null ? {} : { event: Number(row['event']) }),
  }));
}

/** The result of a rule that was not judged, for a reason. */
export function notJudged(rule: ProcessRule, sql: string, error: string): RuleResult {
  const none = { judged: 0, broken: 0, pending: 0, undecided: 0, share: null, holds: false, violations: [] };
  return { ...described(rule), ...none, sql, error };
}

function described({ name, index, severity, atLeast }: ProcessRule): Pick<RuleResult, 'name' | 'severity' | 'atLeast'> {
  return { name: name?.value ?? `Rule ${index + 1}`, severity, atLeast: atLeast?.value ?? 1 };
}
