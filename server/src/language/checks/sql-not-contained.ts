import { containmentProblems } from '../../query/check-sql.ts';
import { sqlOfElement } from '../../model/time-expression.ts';
import type { GraphCheck } from './check.ts';

/** Custom SQL that cannot be embedded in a query: an unclosed literal or parenthesis, a semicolon. */
export const sqlNotContained: GraphCheck = {
  codes: ['sql-not-contained'],
  scope: 'entry',
  check: ({ graph }) => [
    ...[...graph.elements, ...graph.entities].flatMap((source) => sqlOfElement(source).flatMap(containmentProblems)),
    ...graph.relationships.flatMap(({ mappings }) =>
      mappings.flatMap((mapping) => (mapping.kind === 'expression' ? containmentProblems(mapping.expression) : [])),
    ),
  ],
};
