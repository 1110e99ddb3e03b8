import { quoteIdentifier } from '../../query/quote.ts';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { PlanColumn } from './plan-types.ts';

/** A question about the texts of a column. */
interface ColumnQuestion {
  readonly column: PlanColumn;
  /** SQL of an aggregate of the texts of a column, whose rows are numbered by `r`. */
  readonly aggregate: (text: string) => string;
}

/** Up to this number, an expression for each column takes less time than a statement for each question. */
const fewColumns = 8;

/**
 * The answers about columns of texts. Of many columns, those with the same question become rows of one column: planning an
 * expression for each of thousands of columns takes seconds.
 * @param texts SQL that can stand after FROM
 */
export async function askColumns(
  session: DuckDbSession,
  texts: string,
  questions: readonly ColumnQuestion[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<PlanColumn, unknown>> {
  if (questions.length <= fewColumns) return askFewColumns(session, texts, questions, signal);
  const groups = new Map<string, PlanColumn[]>();
  for (const { aggregate, column } of questions) {
    const question = aggregate('x');
    const group = groups.get(question);
    if (group) group.push(column);
    else groups.set(question, [column]);
  }
  const answers = new Map<PlanColumn, unknown>();
  for (const [question, columns] of groups) {
    const names = columns.map(({ name }) => quoteIdentifier(name)).join(', ');
    const cells = `SELECT unnest(range(${columns.length})) AS i, unnest([${names}]) AS x, row_number() OVER () AS r FROM ${texts}`;
    const sql = `SELECT CAST(i AS INTEGER) AS i, ${question} AS answer FROM (${cells}) GROUP BY i`;
    for (const { i, answer } of await session.query(sql, { signal })) {
      const column = columns[Number(i)];
      if (column) answers.set(column, answer);
    }
  }
  return answers;
}

async function askFewColumns(
  session: DuckDbSession,
  texts: string,
  questions: readonly ColumnQuestion[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<PlanColumn, unknown>> {
  if (questions.length === 0) return new Map();
  const cells = questions.map(({ column }, index) => `${quoteIdentifier(column.name)} AS x${index}`);
  const answers = questions.map(({ aggregate }, index) => `${aggregate(`x${index}`)} AS a${index}`);
  const sql = `SELECT ${answers.join(', ')} FROM (SELECT ${cells.join(', ')}, row_number() OVER () AS r FROM ${texts})`;
  const [row] = await session.query(sql, { signal });
  return new Map(questions.map(({ column }, index) => [column, row?.[`a${index}`]]));
}
