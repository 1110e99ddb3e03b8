import type { RuleResult, RuleViolation } from '../../../protocol/process-rules.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import { type ProcessRule, type RuleSubject, valuesIn } from '../model/process-rule.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { containmentProblems } from '../query/check-sql.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import type { JudgedAmong, JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { sqlNameMistake } from '../rule-kinds/named-values-sql.ts';
import { type JudgedStore, type SqlMistake, judgedStore } from './judged-store.ts';
import { defaultViolations } from '../../../protocol/rule-outcome.ts';
import { brokenBy } from './broken-by.ts';
import { type CompleteRule, isComplete, ruleSql } from './rule-sql.ts';

type JudgingOptions = StatementOptions & {
  /** How many violations of a rule are listed. */
  readonly limit?: number;
  /** What a rule judges; default: all. */
  readonly among?: ((rule: ProcessRule) => JudgedAmong | undefined) | undefined;
};

/** Judges the graph of a store by rules. Rejects like `judgeGraphBy`. */
export function judgeRules(
  rules: readonly ProcessRule[],
  store: StoreReader,
  options: JudgingOptions,
): Promise<readonly RuleResult[]> {
  return judgeGraphBy(rules, judgedStore(store), options);
}

/**
 * Judges a graph by rules, one at a time. Rejects only when the graph cannot be read, or with the reason of the signal.
 */
export async function judgeGraphBy(
  rules: readonly ProcessRule[],
  store: JudgedStore,
  { limit = defaultViolations, among, ...options }: JudgingOptions,
): Promise<readonly RuleResult[]> {
  if (rules.length === 0) return [];
  const graph = await store.tables(options);
  const results: RuleResult[] = [];
  for (const rule of rules) {
    options.signal?.throwIfAborted();
    results.push(await judge(rule, { ...graph, among: among?.(rule) }, store, limit, options));
  }
  return results;
}

async function judge(
  rule: ProcessRule,
  graph: JudgedGraphTables,
  store: JudgedStore,
  limit: number,
  options: StatementOptions,
): Promise<RuleResult> {
  const judged = judgedRule(rule, graph);
  if (typeof judged === 'string') return notJudged(rule, '', judged);
  const sql = ruleSql(judged, graph, limit);
  const shown = graph.among?.shownAs ? ruleSql(judged, { ...graph, among: graph.among.shownAs }, limit) : sql;
  try {
    const [numbers, ...violations] = await store.query(sql, options);
    return resultOf(rule, shown, numbers ?? {}, violations);
  } catch (error) {
    const reason = store.mistakeOf(error);
    if (!reason) throw error;
    return notJudged(rule, shown, reasonOf(reason, graph));
  }
}

/** Why the SQL of a rule or a measure failed, in words. */
export function reasonOf(
  { missingColumn: name, message }: SqlMistake,
  { properties: tables, entityTypes }: JudgedGraphTables,
): string {
  const known = new Set(tables.flatMap(({ properties }) => properties));
  if (name === undefined) return ofTheUser(message, [...known, ...entityTypes]);
  const nearest = didYouMean(nearestNames(name, known));
  return `The graph has no property "${name}". ${nearest ?? 'Add it to the properties of an element, and import again.'}`;
}

/** Without names of columns and tables that SQL of the user does not name. */
function ofTheUser(message: string, known: readonly string[]): string {
  const table = /^Referenced table "(.+)" not found/u.exec(message)?.[1];
  if (table !== undefined) {
    const remedy =
      didYouMean(nearestNames(table, known)) ?? 'Write event, entity, an entity type or a property before the point.';
    return `The graph has no entity type and no property "${table}". ${remedy}`;
  }
  const lines = message.split('\n').filter((line) => !/^Candidate \w+:/u.test(line));
  if (!lines.some((line) => line.includes('entity-graph:'))) return lines.join('\n');
  const sentences = lines.flatMap((line) => line.split(/(?<=[.!?])\s+/u));
  const own = sentences.filter((sentence) => !sentence.includes('entity-graph:'));
  return ['The SQL is no expression over the values of one event or entity.', ...own].join(' ');
}

/**
 * A rule that a statement can judge; else the reason why not, such as SQL with unbalanced brackets, which is not
 * contained in its place.
 */
export function judgedRule(rule: ProcessRule, graph: JudgedGraphTables): CompleteRule | string {
  const mistake = sqlMistake(valuesIn(rule, 'sql'), rule.each, graph);
  if (mistake !== undefined) return mistake;
  const { calendar, workingTime } = rule;
  if (!workingTime && calendar) return `There is no calendar "${calendar.value}".`;
  if (!workingTime && valuesIn(rule, 'duration').some(({ value }) => value.isBusiness))
    return 'It does not say whose calendar business days and hours are of.';
  return isComplete(rule) ? rule : 'It does not say what it judges.';
}

/** Why SQL of a rule or a measure is not contained in its place, or names nothing. */
export function sqlMistake(
  texts: readonly LocatedSql[],
  each: RuleSubject | undefined,
  graph: JudgedGraphTables,
): string | undefined {
  const [problem] = texts.flatMap((text) => containmentProblems(text, graph.dialect.name));
  if (problem) return problem.message;
  const of = each?.activity ? 'event' : 'entity';
  return texts.map(({ value }) => sqlNameMistake(value, of, graph)).find((mistake) => mistake !== undefined);
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
  const concerned = Number(numbers['concerned'] ?? judged);
  const kept = concerned - broken - pending - undecided;
  const atLeast = rule.atLeast?.value ?? 1;
  const decided = kept + broken;
  return {
    ...described(rule),
    judged,
    concerned,
    kept,
    broken,
    pending,
    undecided,
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
  const numbers = { judged: 0, concerned: 0, kept: 0, broken: 0, pending: 0, undecided: 0 };
  return { ...described(rule), ...numbers, share: null, holds: false, violations: [], sql, error };
}

function described(rule: ProcessRule): Pick<RuleResult, 'name' | 'severity' | 'atLeast'> {
  const { severity, atLeast } = rule;
  return { name: ruleName(rule), severity, atLeast: atLeast?.value ?? 1 };
}

export function ruleName({ name, index }: Pick<ProcessRule, 'name' | 'index'>): string {
  return name?.value ?? `Rule ${index + 1}`;
}
