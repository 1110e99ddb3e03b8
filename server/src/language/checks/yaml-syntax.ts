import { type MergeConflict, mergeConflicts } from '../../model/merge-conflicts.ts';
import type { Check } from './check.ts';
import type { Problem } from '../../model/problem.ts';
import type { YamlText } from '../../model/yaml-text.ts';

/**
 * The text is no YAML. Of each part that cannot be read only the first mistake is told: what comes after it is mostly its consequence, and is told next
 * when it is not.
 */
export const yamlSyntax: Check<{ readonly parsed: ParsedText }> = {
  codes: ['yaml-syntax'],
  check({ parsed }) {
    const conflicts = conflictsIn(parsed);
    if (conflicts.length > 0) return conflicts.map(conflictProblem);
    const problems = parsed.problems.toSorted((left, right) => left.range.start - right.range.start);
    const parts = parsed.yaml.broken;
    if (!parts) return problems.slice(0, 1);
    const first = parts.map(({ start, end }) =>
      problems.find(({ range }) => range.start >= start && range.start <= end),
    );
    const inNone = problems.filter(
      ({ range }) => !parts.some(({ start, end }) => range.start >= start && range.start <= end),
    );
    return [...first.filter((problem) => problem !== undefined), ...inNone];
  },
};

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
