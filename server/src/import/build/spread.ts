import { namedTables } from '../../graph-schema/table-names.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { BuildStep } from './compile-build.ts';

/**
 * The statements that spread a graph over the nodes of the engine, once it is whole and checked; none where there is one node. What belongs to one
 * entity lies together; the rows of properties know their event only, and lie where its id says.
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
