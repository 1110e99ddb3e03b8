import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** Expectations of rows with a severity only. */
export const emptyExpectations: GraphCheck = {
  codes: ['rule-incomplete'],
  scope: 'entry',
  check: ({ graph: { elements, entities } }) =>
    [...elements, ...entities].flatMap(({ expect }): readonly Problem[] => {
      if (!expect?.isOnlySeverity) return [];
      const message = 'It expects nothing. Write unique, notNull, values or rows.';
      return [{ code: 'rule-incomplete', severity: 'error', message, range: expect.range }];
    }),
};
