import type { TimeRole } from '../../../../protocol/fields/element.ts';
import type { LoadResult, StagedColumn } from '../../connectors/connector.ts';
import type { ExpectationRoles } from '../../query/compiled-query.ts';
import type { StagedTime } from './utc-time.ts';
import type { ElementPlan, RowCorrelationPlan } from '../plan-import.ts';

/** An element with staged rows, and the staged column of each role. */
export interface StagedElement {
  readonly plan: ElementPlan;
  /** Number of staged rows. */
  readonly rows: number;
  readonly columns: readonly StagedColumn[];
  readonly key: readonly StagedColumn[];
  readonly start: StagedTime;
  readonly change?: StagedTime;
  readonly end?: StagedTime;
  /** Says which rows are starts and which are ends. */
  readonly transition?: StagedColumn;
  readonly sequence?: StagedColumn;
  readonly activity?: StagedColumn;
  readonly correlations: readonly StagedCorrelation[];
  /** The columns of `expect`, as in its query. */
  readonly expect?: StagedExpectations;
  readonly properties: readonly StagedColumn[];
  /** File row number, where joins could change the order of staged rows. */
  readonly rowOrder?: StagedColumn;
}

/** The staged columns of each expectation. */
export interface StagedExpectations {
  readonly unique: readonly (readonly StagedColumn[])[];
  readonly notNull: readonly StagedColumn[];
  readonly values: readonly StagedColumn[];
}

/** Entities that the rows name, with the staged columns of their key. */
export interface StagedCorrelation {
  /** 1-based place in `correlatesWith`. */
  readonly number: number;
  readonly plan: RowCorrelationPlan;
  readonly key: readonly StagedColumn[];
}

/** Finds the staged columns of an element's roles. Throws when a result column is missing, which no connector may do. */
export function stagedElement(plan: ElementPlan, loaded: LoadResult): StagedElement {
  const { roles, columns: names } = plan.query;
  const column = stagedColumns(names, loaded, plan.activityName);
  const time = (role: TimeRole, name: string): StagedTime => {
    const found = column(name);
    return roles.endsOfDays?.includes(role) === true ? { ...found, isEndOfDay: true } : found;
  };
  const optional = <Role extends string>(role: Role, name: string | undefined): { [R in Role]?: StagedColumn } =>
    (name === undefined ? {} : { [role]: column(name) }) as { [R in Role]?: StagedColumn };
  return {
    plan,
    rows: loaded.sourceRows,
    columns: loaded.columns,
    key: roles.key.map(column),
    start: time('startTimestamp', roles.startTimestamp),
    correlations: plan.correlatesWith.map((correlation, index) => ({
      number: index + 1,
      plan: correlation,
      key: (roles.correlatesWith?.[index] ?? []).map(column),
    })),
    ...stagedExpectations(roles.expect, column),
    properties: roles.properties.map(column),
    ...(roles.changeTimestamp !== undefined && { change: time('changeTimestamp', roles.changeTimestamp) }),
    ...(roles.endTimestamp !== undefined && { end: time('endTimestamp', roles.endTimestamp) }),
    ...optional('transition', roles.lifecycle),
    ...optional('sequence', roles.sequence),
    ...optional('activity', roles.activityColumn),
    ...optional('rowOrder', roles.rowOrder),
  };
}

/** The staged columns of expectations, if there are any. */
export function stagedExpectations(
  roles: ExpectationRoles | undefined,
  column: (name: string) => StagedColumn,
): { readonly expect?: StagedExpectations } {
  if (!roles) return {};
  const { unique, notNull, values } = roles;
  const columnsOf = (names: readonly string[]): readonly StagedColumn[] => names.map(column);
  return { expect: { unique: unique.map(columnsOf), notNull: columnsOf(notNull), values: columnsOf(values) } };
}

/** Finds staged columns by the names of result columns. */
export function stagedColumns(
  names: readonly string[],
  loaded: LoadResult,
  subject: string,
): (name: string) => StagedColumn {
  return (name) => {
    const found = loaded.columns[names.indexOf(name)];
    if (!found) throw new Error(`The result column ${name} of ${subject} was not staged.`);
    return found;
  };
}
