import { namedTables } from '../../graph-schema/table-names.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { BuildStep } from './compile-build.ts';

/**
 * The statements that distribute a finished and checked graph over the nodes of a cluster; empty for a single node.
 * Rows of an entity are colocated; rows of properties only have an event id and are distributed by it.
 */
export function compileSpread(
  elements: readonly { readonly plan: { readonly number: number } }[],
  dialect: BuildDialect,
): readonly BuildStep[] {
  const { graph, distribute } = dialect;
  if (!distribute) return [];
  const spread = namedTables(elements.map(({ plan }) => plan.number)).flatMap(({ name, table: { inSource } }) =>
    typeof inSource === 'object' ? [{ table: name, column: inSource.spreadBy }] : [],
  );
  return spread.map(({ table, column }, index) => ({
    name: `spread_${table}`,
    title: `Spreads ${table} over the nodes by ${column}`,
    sql: distribute(`${graph}.${table}`, column, index === 0 ? undefined : `${graph}.${spread[0]?.table}`),
  }));
}
