import type { SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';

/** To the process that asks DuckDB. */
export interface SqlAsked {
  readonly id: number;
  readonly question: SqlQuestion;
}

/** From it. */
export type SqlAnswer =
  { readonly id: number; readonly mistakes: readonly SqlMistake[] } | { readonly id: number; readonly failure: string };
