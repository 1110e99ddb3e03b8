import { lifecycleProblems } from '../../query/lifecycle-problems.ts';
import type { GraphCheck } from './check.ts';

/** Ends of an element that cannot be found: said in two ways, by a value that is also a start, or without an entity. */
export const lifecycleUnclear: GraphCheck = {
  codes: ['lifecycle-unclear', 'no-own-entity'],
  scope: 'entry',
  check: ({ graph }) => graph.elements.flatMap(lifecycleProblems),
};
