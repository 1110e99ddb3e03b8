import { containmentProblems } from '../../query/check-sql.ts';
import { sqlOfElement } from '../../model/time-expression.ts';
import type { GraphCheck } from './check.ts';

/** Custom SQL that cannot stand inside a query: a literal or parenthesis left open, a semicolon. */
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
