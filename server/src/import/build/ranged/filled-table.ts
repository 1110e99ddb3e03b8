import type { DistributionColumn } from '../../../connectors/source-build.ts';
import type { RangeSql } from '../../../dialects/dialect.ts';
import { type GraphTableName, graphTables } from '../../../graph-schema/graph-schema.ts';

/** A table that is filled by one or more queries, each in a statement of its own. */
export interface FilledTable {
  readonly name: string;
  readonly title: string;
  readonly selects: readonly string[];
  /** How a cluster distributes its rows; absent where a table has few rows. */
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

/** The distribution of a table of the graph, from the schema of the store. */
export function asInGraph(table: DistributedTable): DistributionColumn {
  return byNumber(graphTables[table].inSource.distributeBy);
}

/** The tables of a graph that clusters distribute. */
type DistributedTable = {
  [Table in GraphTableName]: (typeof graphTables)[Table]['inSource'] extends string ? never : Table;
}[GraphTableName];

/** Combines queries with UNION ALL, as many in one statement as the engine accepts. */
export function inGroups(
  selects: readonly string[],
  { selectsAtOnce }: Pick<RangeSql, 'selectsAtOnce'>,
): readonly string[] {
  return Array.from({ length: Math.ceil(selects.length / selectsAtOnce) }, (_, index) =>
    selects.slice(index * selectsAtOnce, (index + 1) * selectsAtOnce).join('\nUNION ALL\n'),
  );
}
