import { quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { PlanColumn } from './plan-types.ts';

/** A question about the texts of a column. */
export interface ColumnQuestion {
  readonly column: PlanColumn;
  /** SQL of an aggregate of the texts `x`, whose rows are numbered by `r`. */
  readonly aggregate: string;
}

/**
 * The answers about columns of texts. Columns with the same question become rows of one column: planning an expression for
 * each of thousands of columns takes seconds.
 * @param texts SQL that can stand after FROM
 */
export async function askColumns(
  session: DuckDbSession,
  texts: string,
  questions: readonly ColumnQuestion[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<PlanColumn, unknown>> {
  const groups = new Map<string, PlanColumn[]>();
  for (const { aggregate, column } of questions) {
    const group = groups.get(aggregate);
    if (group) group.push(column);
    else groups.set(aggregate, [column]);
  }
  const answers = new Map<PlanColumn, unknown>();
  for (const [aggregate, columns] of groups) {
    const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
    const cells = `SELECT unnest(range(${columns.length})) AS i, unnest([${names}]) AS x, row_number() OVER () AS r FROM ${texts}`;
    const sql = `SELECT CAST(i AS INTEGER) AS i, ${aggregate} AS answer FROM (${cells}) GROUP BY i`;
    for (const { i, answer } of await session.query(sql, { signal })) {
      const column = columns[Number(i)];
      if (column) answers.set(column, answer);
    }
  }
  return answers;
}
