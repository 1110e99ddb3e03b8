import { answerSql } from '../engine/answer-sql.ts';
import type { SqlChecker } from '../engine/sql-checker.ts';
import { type AskSql, type BackgroundJudge, createBackgroundJudge } from '../sql/background-judge.ts';

/** DuckDB's parser in this process, loaded with the first question. */
export interface DuckDbJudge extends BackgroundJudge {
  close(): Promise<void>;
}

export function openDuckDbJudge(): DuckDbJudge {
  let checker: Promise<SqlChecker> | undefined;
  const open = async (): Promise<SqlChecker> => (await import('../engine/sql-checker.ts')).openSqlChecker();
  const ask: AskSql = async (question) => answerSql(await (checker ??= open()), question);
  return {
    ...createBackgroundJudge(ask),
    close: async () => (await checker?.catch(() => undefined))?.close(),
  };
}
