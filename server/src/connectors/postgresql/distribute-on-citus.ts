import { postgresql } from '../../dialects/postgresql.ts';
import type { DistributeTable } from '../source-build.ts';

/** Citus spreads the rows of a table over its nodes by a column. */
export const distributeOnCitus: DistributeTable = (table, column, beside = 'none') => {
  const { quote } = postgresql.literals;
  // What stays behind would be read by nobody, and take its space twice.
  return `SELECT create_distributed_table(${quote(table)}, '${column}', colocate_with => ${quote(beside)});
SELECT truncate_local_data_after_distributing_table(${quote(table)})`;
};
