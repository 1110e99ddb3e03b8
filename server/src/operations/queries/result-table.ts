import type { TestQueryResult } from '../../../../protocol/query-results.ts';
import type { Preview } from '../../connectors/connector.ts';

/** The rows of a preview, from a source or the embedded engine. */
type ShownRows = Pick<Preview, 'rows' | 'truncated' | 'sizeLimit' | 'durationMs'> & {
  readonly columns: readonly Pick<Preview['columns'][number], 'name' | 'type'>[];
};

/** Adds the number of missing values per column. */
export function tableOf({
  columns,
  rows,
  truncated,
  sizeLimit,
  durationMs,
}: ShownRows): Omit<TestQueryResult, 'warnings'> {
  const counted = columns.map(({ name, type }, index) => ({
    name,
    type,
    nulls: rows.filter((row) => row[index] === null).length,
  }));
  return { columns: counted, rows, truncated, sizeLimit, durationMs };
}
