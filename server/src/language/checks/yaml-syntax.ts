import type { Check } from './check.ts';
import type { Problem } from '../../model/problem.ts';

/**
 * The text is no YAML. Only the first mistake is told: what comes after it is mostly its consequence, and is told next
 * when it is not.
 */
export const yamlSyntax: Check<{ readonly parsed: { readonly problems: readonly Problem[] } }> = {
  codes: ['yaml-syntax'],
  check: ({ parsed }) => parsed.problems.toSorted((left, right) => left.range.start - right.range.start).slice(0, 1),
};
