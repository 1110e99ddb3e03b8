import type { Problem } from '../../model/problem.ts';
import type { TextEdit } from '../../model/edits/text-edit.ts';
import type { GraphContext } from '../checks/check.ts';
import { fixesOf } from './index.ts';

/**
 * What can be mended without a question: misspelt names with one suggestion only. Of edits that touch each other only
 * the first is made.
 */
export function fixAll(problems: readonly Problem[], context: GraphContext): readonly TextEdit[] {
  const certain = problems
    .filter(({ suggestions }) => suggestions?.length === 1)
    .flatMap((problem) => fixesOf(problem, context).find(({ preferred }) => preferred)?.edits ?? [])
    .toSorted((one, other) => one.range.start - other.range.start);
  return certain.filter(({ range }, index) => index === 0 || range.start >= (certain[index - 1]?.range.end ?? 0));
}
