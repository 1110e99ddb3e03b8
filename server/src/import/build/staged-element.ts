import type { LoadResult, StagedColumn } from '../../connectors/connector.ts';
import type { ElementPlan } from '../plan-import.ts';

/** An element with staged rows, and the staged column of each role. */
export interface StagedElement {
  readonly plan: ElementPlan;
  /** Number of staged rows. */
  readonly rows: number;
  readonly columns: readonly StagedColumn[];
  readonly key: readonly StagedColumn[];
  readonly start: StagedColumn;
  readonly change?: StagedColumn;
  readonly sequence?: StagedColumn;
  readonly activity?: StagedColumn;
  readonly properties: readonly StagedColumn[];
  /** File row number, where joins could change the order of staged rows. */
  readonly rowOrder?: StagedColumn;
}

/**
 * Finds the staged columns of an element's roles. Throws for a missing result column, which is a bug of a connector.
 */
export function stagedElement(plan: ElementPlan, loaded: LoadResult): StagedElement {
  const { roles, columns: names } = plan.query;
  const column = (name: string): StagedColumn => {
    const found = loaded.columns[names.indexOf(name)];
    if (!found) throw new Error(`The result column ${name} of ${plan.activityName} was not staged.`);
    return found;
  };
  const optional = <Role extends string>(role: Role, name: string | undefined): { [R in Role]?: StagedColumn } =>
    (name === undefined ? {} : { [role]: column(name) }) as { [R in Role]?: StagedColumn };
  return {
    plan,
    rows: loaded.sourceRows,
    columns: loaded.columns,
    key: roles.key.map(column),
    start: column(roles.startTimestamp),
    properties: roles.properties.map(column),
    ...optional('change', roles.changeTimestamp),
    ...optional('sequence', roles.sequence),
    ...optional('activity', roles.activityColumn),
    ...optional('rowOrder', roles.rowOrder),
  };
}
