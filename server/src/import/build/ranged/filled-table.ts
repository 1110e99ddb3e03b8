import type { DistributeTable, DistributionColumn } from '../../../connectors/source-build.ts';
import { type GraphTableName, graphTables } from '../../../graph-schema/graph-schema.ts';

/** A table that selects fill, one statement each. At least one. */
export interface FilledTable {
  readonly name: string;
  readonly title: string;
  readonly selects: readonly string[];
  /** How its rows are distributed, in a cluster that is told so; absent where a table has few rows. */
  readonly by?: DistributionColumn;
}

export function byNumber(column: string): DistributionColumn {
  return { column, of: 'numbers' };
}

export function byText(column: string): DistributionColumn {
  return { column, of: 'texts' };
}

/** As the store's schema says of a table of the graph. */
export function asInGraph(table: DistributedTable): DistributionColumn {
  return byNumber(graphTables[table].inSource.distributeBy);
}

/** The tables of a graph that clusters distribute. */
type DistributedTable = {
  [Table in GraphTableName]: (typeof graphTables)[Table]['inSource'] extends string ? never : Table;
}[GraphTableName];

/** Selects of one statement: engines limit the stages of a statement, and each join is some. */
const selectsAtOnce = 8;

/**
 * The same selects, several in one. Not in a cluster that is told where rows go: those of several joins would go through
 * its coordinator.
 */
export function inGroups(
  selects: readonly string[],
  { distribute }: { readonly distribute?: DistributeTable | undefined },
): readonly string[] {
  if (distribute) return selects;
  return Array.from({ length: Math.ceil(selects.length / selectsAtOnce) }, (_, index) =>
    selects.slice(index * selectsAtOnce, (index + 1) * selectsAtOnce).join('\nUNION ALL\n'),
  );
}

/** The name of the statement that adds rows of one of the selects. @param index from 0 */
export function nameOfPart(table: string, index: number): string {
  return index === 0 ? table : `${table}_part_${index + 1}`;
}
