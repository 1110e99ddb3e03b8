import { isDeepStrictEqual } from 'node:util';
import type { GraphContext } from '../../language/graph-context.ts';
import type { Fix } from '../../language/quick-fixes/quick-fix.ts';
import type { Problem } from '../../model/problem.ts';
import type { OpenGraph } from '../documents/open-documents.ts';

interface FixedProblem {
  readonly problem: Problem;
  readonly fixes: readonly Fix[];
}

/**
 * Keeps the fixes of the last place that an editor asked about: it asks two or three times after each key, and a part of
 * the text is parsed to verify each fix.
 */
export interface LastFixes {
  of(
    document: OpenGraph,
    known: GraphContext,
    problems: readonly Problem[],
    fixesOf: (problem: Problem, context: GraphContext) => readonly Fix[],
  ): readonly FixedProblem[];
}

export function createLastFixes(): LastFixes {
  let last: { readonly basis: readonly unknown[]; readonly fixed: readonly FixedProblem[] } | undefined;
  return {
    of(document, known, problems, fixesOf) {
      const { sources, catalog, importedRules, importedMeasures, importedExpectations, importedFindings } = known;
      const imported = [importedRules, importedMeasures, importedExpectations, importedFindings];
      const basis = [document, sources, catalog, ...imported];
      const before = last?.fixed.map(({ problem }) => problem);
      const isSame = last?.basis.every((each, index) => each === basis[index]) && isDeepStrictEqual(before, problems);
      if (isSame && last) return last.fixed;
      const fixed = problems.map((problem) => ({ problem, fixes: fixesOf(problem, known) }));
      last = { basis, fixed };
      return fixed;
    },
  };
}
