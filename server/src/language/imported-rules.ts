import { type RuleNumbers, isBroken, neverHappened, numbersText, shareText } from '../../../protocol/rule-outcome.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import type { ProcessRule } from '../model/process-rule.ts';
import { type ImportedExpectations, brokenExpectations } from './imported-expectations.ts';
import { type ImportedMeasures, missedTargets, textOf } from './imported-measures.ts';
import { type ImportedFindings, dataFindings } from './imported-findings.ts';
import { type ImportedGuards, brokenGuards } from './imported-guards.ts';
import type { Markdown } from './markdown.ts';
import { code, line, paragraphs, strong } from './markdown.ts';

/** Result of an import for a rule. */
interface JudgedRule extends Omit<RuleNumbers, 'share' | 'concerned' | 'undecided'> {
  readonly name: string;
  readonly concerned?: number;
  readonly undecided?: number;
  readonly holds: boolean;
  /** A few of its violations, in words. */
  readonly examples?: readonly string[];
}

/** Results of the last import by the text of each rule; none for a changed rule. */
export type ImportedRules = ReadonlyMap<string, JudgedRule>;

export function importedRules(text: string, judged: readonly JudgedRule[]): ImportedRules {
  const byName = new Map(judged.map((rule) => [rule.name, rule]));
  const { rules } = parseEntityGraph(text).graph;
  return new Map(
    rules.flatMap((rule) => {
      const found = byName.get(rule.name?.value ?? '');
      return found ? [[textOf(rule, text), found] as const] : [];
    }),
  );
}

/** The rules that the data breaks, or that could not be judged, as the last import found. */
export function brokenRules({ rules }: EntityGraph, text: string, imported: ImportedRules): readonly Problem[] {
  return rules.flatMap((rule): readonly Problem[] => {
    const found = judgedRule(rule, text, imported);
    if (!found || !rule.name || !(found.error !== undefined || isBroken(found))) return [];
    const severity = rule.severity === 'info' ? 'information' : rule.severity;
    return [{ code: 'rule-broken', severity, message: brokenText(rule, found), range: rule.name.range }];
  });
}

function brokenText({ atLeast }: ProcessRule, found: JudgedRule): string {
  if (found.error !== undefined) return `The last import could not judge this rule: ${found.error}`;
  const needed = atLeast && atLeast.value < 1 ? `, at least ${shareText(atLeast.value)} expected` : '';
  const [example] = found.examples ?? [];
  return `The last import found: ${numbersOf(found)}${needed}.${example === undefined ? '' : ` For example ${example}.`}`;
}

/** Numbers and examples of a rule, for its hover; undefined if this text of it has not been judged. */
export function judgedRuleMarkdown(rule: ProcessRule, text: string, imported: ImportedRules): Markdown | undefined {
  const found = judgedRule(rule, text, imported);
  if (!found) return undefined;
  const isUnconcerned = neverHappened({ concerned: found.judged, ...found });
  const undecided = isUnconcerned ? 'concerns nothing' : 'was not decided';
  const outcome = found.holds ? 'holds' : isBroken(found) ? 'is broken' : undecided;
  return paragraphs(
    line`${strong(found.name)} ${outcome}. The last import found: ${numbersOf(found)}.`,
    ...(found.examples ?? []).map((example) => line`${code(example)}`),
  );
}

function judgedRule(rule: ProcessRule, text: string, imported: ImportedRules): JudgedRule | undefined {
  return imported.get(textOf(rule, text));
}

function numbersOf(found: JudgedRule): string {
  const { judged, concerned = judged, broken, pending, undecided = 0 } = found;
  const decided = concerned - pending - undecided;
  return numbersText({ ...found, concerned, undecided, share: decided === 0 ? null : 1 - broken / decided });
}

/** The rules, expectations and guards that the rows of the last import break, the targets that it misses, and what is odd in its data. */
export function lastImportProblems({
  parsed: { graph, yaml },
  importedRules,
  importedMeasures,
  importedExpectations,
  importedFindings,
  importedGuards,
}: {
  readonly parsed: Pick<ParsedEntityGraph, 'graph' | 'yaml'>;
  readonly importedRules?: ImportedRules | undefined;
  readonly importedMeasures?: ImportedMeasures | undefined;
  readonly importedExpectations?: ImportedExpectations | undefined;
  readonly importedFindings?: ImportedFindings | undefined;
  readonly importedGuards?: ImportedGuards | undefined;
}): readonly Problem[] {
  return [
    ...(importedExpectations ? brokenExpectations(graph, yaml.text, importedExpectations) : []),
    ...(importedRules ? brokenRules(graph, yaml.text, importedRules) : []),
    ...(importedMeasures ? missedTargets(graph, yaml.text, importedMeasures) : []),
    ...(importedGuards ? brokenGuards(graph, importedGuards) : []),
    ...(importedFindings ? dataFindings({ graph, yaml }, importedFindings) : []),
  ];
}
