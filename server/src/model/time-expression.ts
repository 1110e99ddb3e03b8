import type { EntityElement, EntitySource } from './entity-graph.ts';
import type { Located, LocatedSql, SourceRange } from './source-range.ts';

/** The times of an element that may be computed. */
export const timeRoles = ['startTimestamp', 'changeTimestamp'] as const;
export type TimeRole = (typeof timeRoles)[number];

/** The SQL of a computed time; undefined for a column. */
export function timeExpression(element: EntityElement, role: TimeRole): LocatedSql | undefined {
  return role === 'startTimestamp' ? element.startExpression : element.changeExpression;
}

/** Whether dates are the ends of their days; undefined if that is not said. */
export function atEndOfDay(
  element: Pick<EntityElement, 'startAtEndOfDay' | 'changeAtEndOfDay'>,
  role: TimeRole,
): Located<boolean> | undefined {
  return role === 'startTimestamp' ? element.startAtEndOfDay : element.changeAtEndOfDay;
}

/** Custom SQL of an element or an entry of `entities`, as its rows are made: times that are computed, joins and filter. */
export function sqlOfElement(source: EntitySource): readonly LocatedSql[] {
  const times = 'isMasterData' in source ? [] : [source.startExpression, source.changeExpression];
  return [...times, source.joins, source.where].filter((sql) => sql !== undefined);
}

/** Whether an element has a start time. */
export function hasStart({ startTimestamp, startExpression }: EntityElement): boolean {
  return startTimestamp !== undefined || startExpression !== undefined;
}

/** Range of a role's time: the column name, or the SQL. */
export function timeRange(element: EntityElement, role: TimeRole): SourceRange | undefined {
  return (timeExpression(element, role) ?? element[role])?.range;
}
