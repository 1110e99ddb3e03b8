import type { Problem } from '../../model/problem.ts';
import type { ColumnSense } from '../../catalog/catalog.ts';
import type { RowCorrelation } from '../../model/entity-graph.ts';
import { correlationProblems } from '../../query/row-correlations.ts';
import { type ColumnScope, findInScope, scopeOf } from '../column-scope.ts';
import type { GraphCheck } from './check.ts';

/** A list of keys for a key of several columns, or an element without own entities that names no others. */
export const listKey: GraphCheck = {
  codes: ['list-key', 'no-own-entity'],
  scope: 'entry',
  check: ({ graph }) =>
    graph.elements.flatMap((element) =>
      correlationProblems(element).filter(({ code }) => listKey.codes.includes(code)),
    ),
};

/** A column for lists of keys whose type cannot hold lists. Texts and JSON may; only their rows show it. */
export const listType: GraphCheck = {
  codes: ['type-mismatch'],
  scope: 'entry',
  check: ({ graph, catalog }) =>
    graph.elements.flatMap((element) => {
      if (!catalog || !element.correlatesWith) return [];
      const scope = scopeOf(element, catalog);
      return element.correlatesWith.flatMap((entry) => noListProblem(entry, scope));
    }),
};

function noListProblem({ each, key: [name] }: RowCorrelation, scope: ColumnScope): readonly Problem[] {
  const column = each && name && findInScope(scope, name.value);
  if (!column || mayBeList.has(column.sense)) return [];
  const message = `"${name.value}" is of type ${column.type}, which holds no list. Remove each, or choose a column with arrays or JSON.`;
  return [{ code: 'type-mismatch', severity: 'error', message, range: name.range }];
}

const mayBeList: ReadonlySet<ColumnSense> = new Set(['text', 'json', 'other']);
