import type { RowExpectations } from '../model/entity-graph.ts';
import type { Located } from '../model/source-range.ts';
import type { ExpectationRoles } from './compiled-query.ts';

/** The result columns of expectations. */
export function expectationRoles(
  { unique, notNull, values }: RowExpectations,
  resultOf: (column: Located<string>) => string,
): ExpectationRoles {
  return {
    unique: unique.map((columns) => columns.map(resultOf)),
    notNull: notNull.map(resultOf),
    values: values.map(({ column }) => resultOf(column)),
  };
}
