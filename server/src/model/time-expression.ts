import { type TimeRole, elementFields } from '../../../protocol/fields/element.ts';
import type { EntityElement } from './entity-graph.ts';
import type { Located, LocatedSql, SourceRange } from './source-range.ts';

/** The SQL of a computed time; undefined for a column. */
export function timeExpression(element: EntityElement, role: TimeRole): LocatedSql | undefined {
  return element[elementFields[role].expression];
}

/** Whether dates are the ends of their days; undefined if that is not said. */
export function atEndOfDay(
  element: Pick<EntityElement, (typeof elementFields)[TimeRole]['atEndOfDay']>,
  role: TimeRole,
): Located<boolean> | undefined {
  return element[elementFields[role].atEndOfDay];
}

/** Range of a role's time: the column name, or the SQL. */
export function timeRange(element: EntityElement, role: TimeRole): SourceRange | undefined {
  return (timeExpression(element, role) ?? element[role])?.range;
}
