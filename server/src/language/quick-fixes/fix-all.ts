import type { Problem } from '../../model/problem.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import type { Fix } from './quick-fix.ts';

/**
 * What can be mended without a question: names with one suggestion only, and values that are written as another sort. Of
 * edits that touch each other only the first is made.
 */
export function fixAll(
  problems: readonly Problem[],
  fixesOf: (problem: Problem) => readonly Fix[],
): readonly TextEdit[] {
  const certain = problems
    .filter(({ code, suggestions }) => suggestions?.length === 1 || code === 'schema-type')
    .flatMap((problem) => fixesOf(problem).find(({ preferred }) => preferred)?.edits ?? [])
    .toSorted((one, other) => one.range.start - other.range.start);
  return certain.filter(({ range }, index) => index === 0 || range.start >= (certain[index - 1]?.range.end ?? 0));
}
