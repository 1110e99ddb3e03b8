import type { Problem } from '../../model/problem.ts';
import type { GraphContext } from '../checks/check.ts';
import { didYouMean } from './did-you-mean.ts';
import { addMissingKeys } from './missing-keys.ts';
import type { Fix, QuickFix } from './quick-fix.ts';
import { mendSyntax } from './yaml-syntax.ts';
import { addToDataObjects, useSelectedObject } from './selected-objects.ts';

/** Every quick fix. A new one is a file and a row. */
const quickFixes: readonly QuickFix[] = [didYouMean, mendSyntax, addMissingKeys, addToDataObjects, useSelectedObject];

/** What can be done about a problem of an entity graph, the likeliest first. */
export function fixesOf(problem: Problem, context: GraphContext): readonly Fix[] {
  return quickFixes
    .filter(({ codes }) => codes?.includes(problem.code) ?? true)
    .flatMap((quickFix) => quickFix.fixes(problem, context));
}
