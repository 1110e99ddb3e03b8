import { type MergeConflict, mergeConflicts } from '../../model/merge-conflicts.ts';
import { missingListKey } from '../../model/missing-list-key.ts';
import type { Check } from './check.ts';
import type { Problem } from '../../model/problem.ts';
import { type YamlText, tooLargeCode } from '../../model/yaml-text.ts';

/**
 * The text is no YAML. Of each part that cannot be read only the first mistake is told: what comes after it is mostly its consequence, and is told next
 * when it is not.
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

/** Lines that belong to no key are told at their first one: what a parser notices is that the line above has a value. */
function missingLine(problem: Problem, text: string): Problem | undefined {
  const { start, end } = problem.range;
  // A bracket or quote that is open, or a tab, is a mistake whatever stands around it.
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

/** What a merge has left in a text that cannot be read because of it. */
export function conflictsIn({ problems, yaml }: ParsedText): readonly MergeConflict[] {
  return problems.length > 0 ? mergeConflicts(yaml.text) : [];
}

function conflictProblem({ mark, sides }: MergeConflict): Problem {
  const remedy = sides ? 'Keep one of its sides, or both, and remove its marks.' : 'Remove what is left of its marks.';
  return { code: 'yaml-syntax', severity: 'error', message: `A merge conflict begins here. ${remedy}`, range: mark };
}
