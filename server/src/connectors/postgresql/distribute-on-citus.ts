import { postgresql } from '../../dialects/postgresql.ts';
import type { DistributeTable } from '../source-build.ts';

/** Citus distributes the rows of a table over its nodes by a column. */
export const distributeOnCitus: DistributeTable = (table, column, beside = 'none') => {
  const { quote } = postgresql.literals;
  // Local copies of the rows would remain unused on the coordinator.
  return `SELECT create_distributed_table(${quote(table)}, '${column}', colocate_with => ${quote(beside)});
SELECT truncate_local_data_after_distributing_table(${quote(table)})`;
};
