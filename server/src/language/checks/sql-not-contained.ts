import { containmentProblems } from '../../query/check-sql.ts';
import { sqlOfElement } from '../../model/time-expression.ts';
import type { GraphCheck } from './check.ts';

/** Custom SQL that cannot be embedded in a query: an unclosed literal or parenthesis, a semicolon. */
export const sqlNotContained: GraphCheck = {
  codes: ['sql-not-contained'],
  scope: 'entry',
  check: ({ graph }) => [
    ...graph.elements.flatMap((element) => sqlOfElement(element).flatMap(containmentProblems)),
    ...graph.relationships.flatMap(({ mappings }) =>
      mappings.flatMap((mapping) => (mapping.kind === 'expression' ? containmentProblems(mapping.expression) : [])),
    ),
  ],
};
