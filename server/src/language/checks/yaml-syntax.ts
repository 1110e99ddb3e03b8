import { type MergeConflict, mergeConflicts } from '../../model/merge-conflicts.ts';
import { missingListKey } from '../../model/missing-list-key.ts';
import type { Check } from './check.ts';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, tooLargeCode } from '../../model/yaml-text.ts';

/**
 * Syntax errors. Only the first one of each unreadable part is reported, because later ones are usually its
 * consequences.
 */
export const yamlSyntax: Check<{ readonly parsed: ParsedText }> = {
  codes: ['yaml-syntax', tooLargeCode],
  check({ parsed }) {
    const conflicts = conflictsIn(parsed);
    if (conflicts.length > 0) return conflicts.map(conflictProblem);
    const problems = parsed.problems.toSorted((left, right) => left.range.start - right.range.start);
    const parts = parsed.yaml.broken;
    const explain = (problem: Problem): Problem =>
      problem.code === tooLargeCode ? problem : (missingLine(problem, parsed.yaml.text) ?? problem);
    if (!parts) return problems.slice(0, 1).map(explain);
    const first = parts.map(({ start, end }) =>
      problems.find(({ range }) => range.start >= start && range.start <= end),
    );
    const inNone = problems.filter(
      ({ range }) => !parts.some(({ start, end }) => range.start >= start && range.start <= end),
    );
    return [...first.filter((problem) => problem !== undefined), ...inNone].map(explain);
  },
};

/** Unattached lines are reported at the first one, because the parser reports the line above. */
function missingLine(problem: Problem, text: string): Problem | undefined {
  const { start, end } = problem.range;
  // An open bracket or quote, or a tab, is an error in any context.
  if (/^(?:[\]}"']$|[[{]|[ \t]*\t)/.test(text.slice(start, end))) return undefined;
  const missing = missingListKey(text, start);
  if (!missing) return undefined;
  const { key, kind, first } = missing;
  return { ...problem, message: `The line "${key}:" is missing above this ${kind}. Insert it.`, range: first };
}

interface ParsedText {
  readonly problems: readonly Problem[];
  readonly yaml: YamlText;
}

/** Merge conflict markers in a text that is unreadable because of them. */
export function conflictsIn({ problems, yaml }: ParsedText): readonly MergeConflict[] {
  return problems.length > 0 ? mergeConflicts(yaml.text) : [];
}

function conflictProblem({ mark, sides }: MergeConflict): Problem {
  const remedy = sides
    ? 'Keep one of its sides, or both, and remove its marks.'
    : 'Remove the remaining conflict markers.';
  return { code: 'yaml-syntax', severity: 'error', message: `A merge conflict begins here. ${remedy}`, range: mark };
}
