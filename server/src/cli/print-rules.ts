import type { RuleResult } from '../../../protocol/process-rules.ts';
import { escapeForComment } from '../../../protocol/escape-markdown.ts';
import { createLineIndex } from '../model/line-index.ts';
import type { Severity } from '../model/problem.ts';
import type { JudgedGraph } from '../operations/stored-graphs/judge-graph.ts';
import { isBroken, neverHappened, numbersText, shareText, violationText } from '../../../protocol/rule-outcome.ts';
import type { JunitSuite } from './junit.ts';
import type { SarifResult } from './sarif.ts';
import { measureCases, measureMarkdown } from './print-measures.ts';
import { shownPath } from './print-problems.ts';
import { type Line, paint, styled } from './styled-text.ts';

/** Violations shown of each rule in texts that people read. */
const shownViolations = 5;

export function ruleLines({ file, results, places }: JudgedGraph): readonly Line[] {
  if (results.length === 0) return [];
  const lines = createLineIndex(file.text);
  const printed = results.flatMap((result, index) => {
    const place = `${shownPath(file.path)}:${lines.range(places[index] ?? { start: 0, end: 0 }).start.line + 1}`;
    return [
      styled`${ruleOutcome(result)}  ${result.name}  ${paint.dim(place)}`,
      `        ${summary(result)}`,
      ...violationLines(result),
    ];
  });
  const held = results.filter(({ holds }) => holds).length;
  const end = `${held} of ${results.length} rules hold.`;
  return [...printed, held === results.length ? paint.green(end) : paint.red(end)];
}

/** The rules or expectations that do not hold, as problems at their places. */
export function ruleProblems({ brokenCode, results, places }: JudgedGraph): readonly SarifResult[] {
  return results.flatMap((result, index): readonly SarifResult[] => {
    if (result.holds) return [];
    const range = places[index] ?? { start: 0, end: 0 };
    const message = [`"${result.name}" ${summary(result)}`, ...violationLines(result).map((line) => line.trim())].join(
      '\n',
    );
    return [{ code: brokenCode, severity: severityOf(result), message, range }];
  });
}

export function ruleJunitSuite(judged: JudgedGraph): JunitSuite {
  const cases = judged.results.map((result) => ({
    name: result.name,
    durationMs: 0,
    ...(neverHappened(result) && { skipped: summary(result) }),
    failures:
      result.holds || neverHappened(result)
        ? []
        : [{ message: summary(result), text: violationLines(result).join('\n') }],
  }));
  return { name: shownPath(judged.file.path), cases: [...cases, ...measureCases(judged)] };
}

/** Tables of the rules and the measures. */
export function ruleMarkdown(judged: JudgedGraph): string {
  const { file, results } = judged;
  const measures = measureMarkdown(judged);
  if (results.length === 0) return measures;
  const rows = results.map((result) => {
    const share = result.share === null ? '' : shareText(result.share);
    const { judged, concerned, kept, broken, pending } = result;
    const numbers = [judged, concerned, kept, broken, pending].map((count) => count.toLocaleString('en'));
    return `| ${[outcomeText(result), escapeForComment(result.name), share, shareText(result.atLeast), ...numbers].join(' | ')} |`;
  });
  const violations = results
    .filter((result) => !result.holds)
    .flatMap((result) => [
      '',
      `**${escapeForComment(result.name)}**: ${escapeForComment(summary(result))}`,
      '',
      ...listed(result).map((line) => `* ${escapeForComment(line)}`),
    ]);
  return [
    `### Rules of ${escapeForComment(shownPath(file.path))}`,
    '',
    '| | rule | share | needed | judged | concerned | kept | broken | pending |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows,
    ...violations,
    '',
    ...(measures === '' ? [] : [measures]),
  ].join('\n');
}

function outcomeText(result: RuleResult): string {
  if (result.holds) return 'holds';
  if (isBroken(result)) return `**broken** (${result.severity})`;
  return neverHappened(result) ? 'never happened' : 'not judged';
}

/** The result of a rule in one word, padded to equal width. */
export function ruleOutcome(result: RuleResult): Line {
  if (result.holds) return paint.green('holds ');
  if (!isBroken(result)) return paint.yellow('note  ');
  return result.severity === 'error' ? paint.red('BROKEN') : paint.yellow('broken');
}

function summary(result: RuleResult): string {
  const needed = result.atLeast < 1 ? `, at least ${shareText(result.atLeast)} expected` : '';
  return `${numbersText(result)}${needed}`;
}

function severityOf(result: RuleResult): Severity {
  if (neverHappened(result)) return 'information';
  if (!isBroken(result)) return 'warning';
  return result.severity === 'info' ? 'information' : result.severity;
}

function violationLines(result: RuleResult): readonly string[] {
  return result.holds ? [] : listed(result).map((line) => `        ${line}`);
}

function listed({ violations, broken }: RuleResult): readonly string[] {
  const shown = violations.slice(0, shownViolations);
  const more = broken - shown.reduce((sum, { count = 1 }) => sum + count, 0);
  // Without examples, "more" would refer to nothing; the summary has the number of violations.
  const isMore = shown.length > 0 && more > 0;
  return [...shown.map(violationText), ...(isMore ? [`… and ${more.toLocaleString('en')} more`] : [])];
}
