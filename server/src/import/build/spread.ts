import { namedTables } from '../../graph-schema/table-names.ts';
import { quoteLiteral } from '../../query/quote.ts';
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
  if (dialect.nodes === undefined) return [];
  const spread = namedTables(elements.map(({ plan }) => plan.number)).flatMap(({ name, table: { inSource } }) =>
    typeof inSource === 'object' ? [{ table: name, column: inSource.spreadBy }] : [],
  );
  return spread.map(({ table, column }, index) => {
    const name = quoteLiteral(`${dialect.graph}.${table}`, dialect.name);
    const beside = index === 0 ? 'none' : `${dialect.graph}.${spread[0]?.table}`;
    return {
      name: `spread_${table}`,
      title: `Spreads ${table} over the nodes by ${column}`,
      // What stays behind would be read by nobody, and take its space twice.
      sql: `SELECT create_distributed_table(${name}, '${column}', colocate_with => ${quoteLiteral(beside, dialect.name)});
SELECT truncate_local_data_after_distributing_table(${name})`,
    };
  });
}
