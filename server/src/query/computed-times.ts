import { type TimeRole, timeRoles } from '../../../protocol/fields/element.ts';
import type { SqlDialect } from '../catalog/catalog.ts';
import type { EntityElement } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import { timeExpression } from '../model/time-expression.ts';
import { containmentProblems, usableSql } from './check-sql.ts';
import type { ExpressionItem } from './query-tree.ts';
import { resultNames } from './result-names.ts';
import { mentionedNames } from './sql-names.ts';
import { mayHaveSubquery } from './subquery.ts';

/** The times of an element that custom SQL computes. */
interface ComputedTimes {
  /** Named after their fields, with a number if another column has the name. */
  readonly items: readonly ExpressionItem[];
  /** The result column of a time; undefined if it is not computed. */
  readonly resultOf: (role: TimeRole) => string | undefined;
  readonly problems: readonly Problem[];
}

export function computedTimes(element: EntityElement, dialect: SqlDialect, taken: readonly string[]): ComputedTimes {
  const problems: Problem[] = [];
  const written = timeRoles.flatMap((role) => {
    const sql = timeExpression(element, role);
    if (!sql) return [];
    const contained = containmentProblems(sql, dialect);
    const expression = usableSql(sql);
    const empty = emptyExpression(element, role);
    problems.push(...contained, ...(empty ? [empty] : []));
    return expression && contained.length === 0 ? [{ role, expression }] : [];
  });
  const names = resultNames(
    written.map(({ role }) => role),
    dialect,
    taken,
  );
  const results = new Map(written.map(({ role }, index) => [role, names[index] ?? role]));
  return {
    items: written.map(({ role, expression }) => ({ expression, as: results.get(role) ?? role })),
    resultOf: (role) => results.get(role),
    problems,
  };
}

/** A subquery and a window may hand rows on in another order than they were read. */
export function mayReorderRows({ items }: ComputedTimes): boolean {
  return items.some(
    ({ expression: { value } }) => mayHaveSubquery(value, 'duckdb') || mentionedNames(value, 'duckdb').has('over'),
  );
}

/** The expression of a time has no SQL. */
export function emptyExpression(element: EntityElement, role: TimeRole): Problem | undefined {
  const sql = timeExpression(element, role);
  if (!sql || usableSql(sql)) return undefined;
  const message = `The expression of ${role} has nothing but a comment. Write SQL that gives a timestamp or a date.`;
  return { code: 'timestamp-type', severity: 'error', message, range: sql.range };
}
