import type { DistributionColumn } from '../../../connectors/source-build.ts';
import type { RangeSql } from '../../../dialects/dialect.ts';
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

/** By the place of a staged row (`rowPlace` of the dialect). */
export function byRow(column: string): DistributionColumn {
  return { column, of: 'rows' };
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

/** The same selects, as many in one as the engine takes. */
export function inGroups(
  selects: readonly string[],
  { selectsAtOnce }: Pick<RangeSql, 'selectsAtOnce'>,
): readonly string[] {
  return Array.from({ length: Math.ceil(selects.length / selectsAtOnce) }, (_, index) =>
    selects.slice(index * selectsAtOnce, (index + 1) * selectsAtOnce).join('\nUNION ALL\n'),
  );
}
