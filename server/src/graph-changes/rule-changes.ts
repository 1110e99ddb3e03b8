import type { RuleNumbers } from '../../../protocol/graph-changes.ts';
import type { CreateTable, Side } from './pair-events.ts';

/** Which graphs have the tables of rules: those of files without rules have none. */
export type JudgedSides = Readonly<Record<Side, boolean>>;

/** The rules of one graph by name. */
function rulesSql(side: Side, judged: JudgedSides): string {
  return judged[side]
    ? `SELECT * FROM ${side}.rule`
    : `SELECT NULL::VARCHAR AS name, NULL::BOOLEAN AS holds, NULL::VARCHAR AS error, ${verdicts.map((name) => `NULL::BIGINT AS ${name}`).join(', ')} WHERE false`;
}

const verdicts = ['concerned', 'kept', 'broken', 'pending', 'undecided'] as const;

/** What breaks a rule: entities and events by their pairs, 0 for none. */
function violationsSql(side: Side, judged: JudgedSides): string {
  if (!judged[side]) return `SELECT NULL::VARCHAR AS name, 0 AS entity, 0 AS event, 0 AS expectation WHERE false`;
  return `SELECT rule.name, coalesce(entity.number, 0) AS entity, coalesce(event.number, 0) AS event, v.expectation
    FROM ${side}.rule_violation AS v JOIN ${side}.rule AS rule ON rule.number = v.rule
    LEFT JOIN entity_pair AS entity ON entity.${side}_id = v.entity_id LEFT JOIN event_pair AS event ON event.${side}_id = v.event_id`;
}

/** Violations that only one graph has: `kind`, `name`, and the numbers of what breaks the rule. */
export function violationDifferencesSql(judged: JudgedSides): CreateTable {
  const [before, after] = [violationsSql('before', judged), violationsSql('after', judged)];
  return `CREATE TEMP TABLE violation_difference AS
    SELECT 'gone' AS kind, * FROM (${before} EXCEPT ${after}) UNION ALL SELECT 'new', * FROM (${after} EXCEPT ${before})`;
}

/** These, and rules that hold in only one graph: `name`, `kind`, and what breaks the rule. */
export function ruleChangesSql(judged: JudgedSides): string {
  const held = `(${rulesSql('before', judged)}) AS b FULL JOIN (${rulesSql('after', judged)}) AS a ON a.name = b.name`;
  return `CREATE TEMP VIEW rule_change AS
    SELECT v.name, v.kind, entity.entity_type, entity.key, event.activity, coalesce(event.time_after, event.time_before) AS time, v.expectation
    FROM violation_difference AS v
    LEFT JOIN entity_pair AS entity ON entity.number = v.entity LEFT JOIN known_event AS event ON event.number = v.event
    UNION ALL
    SELECT coalesce(a.name, b.name), CASE WHEN a.holds THEN 'mended' ELSE 'broken' END, NULL, NULL, NULL, NULL, NULL
    FROM ${held} WHERE a.name IS NOT NULL AND a.holds <> coalesce(b.holds, true)`;
}

/** How many violations each rule has: `name`, `n`. */
export function ruleSizesSql(side: Side, judged: JudgedSides): string {
  return `SELECT rule.name, count(v.name) AS n FROM (${rulesSql(side, judged)}) AS rule
    LEFT JOIN (${violationsSql(side, judged)}) AS v ON v.name = rule.name GROUP BY 1`;
}

/** The numbers of all rules: `name`, `before`, `after` as JSON, NULL where a graph does not have the rule. */
export function ruleVerdictsSql(judged: JudgedSides): string {
  const numbers = (side: Side): string => {
    const fields = verdicts.map((name) => `${name}: coalesce(rule.${name}, 0)`).join(', ');
    return `SELECT name, to_json({${fields}, holds: coalesce(rule.holds, false), error: rule.error}) AS numbers FROM (${rulesSql(side, judged)}) AS rule`;
  };
  return `SELECT coalesce(a.name, b.name) AS name, b.numbers AS before, a.numbers AS after
    FROM (${numbers('before')}) AS b FULL JOIN (${numbers('after')}) AS a ON a.name = b.name ORDER BY 1`;
}

export function readNumbers(json: unknown): RuleNumbers | undefined {
  return json === null || json === undefined ? undefined : (JSON.parse(String(json)) as RuleNumbers);
}
