import { answerSql } from '../engine/answer-sql.ts';
import type { SqlChecker } from '../engine/sql-checker.ts';
import type { SqlJudge } from '../language/sql/sql-judge.ts';
import { createBackgroundJudge } from '../sql/background-judge.ts';

/** DuckDB's parser in this process, loaded with the first question. */
export interface DuckDbJudge {
  readonly judge: SqlJudge;
  isPending(): boolean;
  /** Resolves when everything that was asked is answered. */
  answered(): Promise<void>;
  close(): Promise<void>;
}

export function openDuckDbJudge(): DuckDbJudge {
  let checker: Promise<SqlChecker> | undefined;
  let pending = 0;
  let waiting: (() => void)[] = [];
  const open = async (): Promise<SqlChecker> => (await import('../engine/sql-checker.ts')).openSqlChecker();
  const judge = createBackgroundJudge(
    async (question) => {
      pending += 1;
      try {
        return await answerSql(await (checker ??= open()), question);
      } finally {
        pending -= 1;
      }
    },
    () => {
      for (const each of waiting) each();
      waiting = [];
    },
  );
  return {
    judge,
    isPending: () => pending > 0,
    answered: () => new Promise((resolve) => waiting.push(resolve)),
    close: async () => (await checker?.catch(() => undefined))?.close(),
  };
}
