import type { BuildDialect } from './build-dialect.ts';
import type { BuildStep } from './compile-build.ts';

/** The column by which rows find their node: what belongs to one entity lies together. */
const spreadColumns: readonly (readonly [table: string, column: string])[] = [
  ['entity', 'id'],
  ['event', 'entity_id'],
  ['relation', 'source_entity_id'],
  ['event_entity', 'entity_id'],
  ['directly_follows', 'entity_id'],
];

/**
 * The statements that spread a graph over the nodes of the engine, once it is whole and checked; none where there is one node. The rows of
 * properties know their event only, and lie where its id says; `run` has one row and stays where it is.
 */
export function compileSpread(
  elements: readonly { readonly plan: { readonly number: number } }[],
  dialect: BuildDialect,
): readonly BuildStep[] {
  const { graph, distribute } = dialect;
  if (!distribute) return [];
  const properties = elements.map(({ plan }) => [`properties_${plan.number}`, 'event_id'] as const);
  return [...spreadColumns, ...properties].map(([table, column], index) => ({
    name: `spread_${table}`,
    title: `Spreads ${table} over the nodes by ${column}`,
    sql: distribute(`${graph}.${table}`, column, index === 0 ? undefined : `${graph}.entity`),
  }));
}
