import type { StagedColumn } from '../../connectors/connector.ts';
import { namedTables } from '../../graph-schema/table-names.ts';
import type { BuildDialect } from './build-dialect.ts';
import type { ElementPlan, MasterDataPlan } from '../plan-import.ts';
import type { BuildStep } from './compile-build.ts';

/**
 * The statements that distribute a finished and checked graph over the nodes of a cluster; empty for a single node.
 * Rows of an entity are colocated; rows of event properties, and events where some have no entity, are distributed by
 * event id.
 */
export function compileDistribution(
  { elements, entities }: DistributedGraph,
  dialect: BuildDialect,
): readonly BuildStep[] {
  const { graph, distribute } = dialect;
  if (!distribute) return [];
  const numbersOf = (entries: readonly { readonly plan: { readonly number: number } }[]): readonly number[] =>
    entries.map(({ plan }) => plan.number);
  const mayLackEntity = elements.some(({ plan }) => !plan.ownEntity);
  const versioned = numbersOf(entities.filter(({ validFrom }) => validFrom));
  const spread = namedTables(numbersOf(elements), numbersOf(entities), versioned).flatMap(
    ({ name, schema, table: { inSource } }) => {
      if (typeof inSource !== 'object') return [];
      return [{ table: name, column: schema === 'event' && mayLackEntity ? 'id' : inSource.distributeBy }];
    },
  );
  return spread.map(({ table, column }, index) => ({
    name: `spread_${table}`,
    title: `Spreads ${table} over the nodes by ${column}`,
    sql: distribute(`${graph}.${table}`, column, index === 0 ? undefined : `${graph}.${spread[0]?.table}`),
  }));
}

interface DistributedGraph {
  readonly elements: readonly { readonly plan: Pick<ElementPlan, 'number' | 'ownEntity'> }[];
  readonly entities: readonly { readonly plan: Pick<MasterDataPlan, 'number'>; readonly validFrom?: StagedColumn }[];
}
