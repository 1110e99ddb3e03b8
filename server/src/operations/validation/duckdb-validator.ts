import { validateSql } from '../../engine/validate-sql.ts';
import type { SqlChecker } from '../../engine/sql-checker.ts';
import { type BackgroundValidator, createBackgroundValidator } from '../../sql/background-validator.ts';
import type { EarlierAnswers } from './earlier-answers.ts';

/** DuckDB's parser in this process, loaded on first use. */
export interface DuckDbValidator extends BackgroundValidator {
  close(): Promise<void>;
}

/** @param signal after an abort, remaining statements count as valid. */
export function openDuckDbValidator(signal?: AbortSignal, earlier?: EarlierAnswers): DuckDbValidator {
  let checker: Promise<SqlChecker> | undefined;
  const open = async (): Promise<SqlChecker> => (await import('../../engine/sql-checker.ts')).openSqlChecker();
  return {
    ...createBackgroundValidator(async (question) => {
      signal?.throwIfAborted();
      const known = earlier?.of(question);
      if (known) return known;
      const answer = await validateSql(await (checker ??= open()), question);
      earlier?.remember(question, answer);
      return answer;
    }),
    close: async () => {
      earlier?.keep();
      await (await checker?.catch(() => undefined))?.close();
    },
  };
}
